import swagger from "@fastify/swagger";
import { fastify, type FastifyInstance, type FastifyReply, type FastifyRequest } from "fastify";
import { z } from "zod";
import { GradusError, messageOf } from "../../core/errors.ts";
import { sha256 } from "../../core/key.ts";
import { errorBody, statusOf } from "./service-error.ts";
import { type RouteMeter, ServiceMetrics } from "./service-metrics.ts";
import { type WorkLimits, WorkQueue } from "./work-queue.ts";

/** A call of a route: its body, as its schema reads it, and the parts of its path. */
export interface ServiceCall<Body> {
  readonly body: Body;
  readonly params: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, string>>;
}

/** A route of a service. */
export interface ServiceRoute<Body extends z.ZodType = z.ZodType> {
  readonly method: "GET" | "POST";
  /** As fastify writes it: `/tools/:tool`. */
  readonly path: string;
  readonly summary: string;
  /** What the body has to be; `null` for none. */
  readonly body: Body | null;
  /** What comes back, for the description of the service. */
  readonly response: z.ZodType;
  /** Whether it waits for its turn among the others that do. */
  readonly isWork: boolean;
  handle(call: ServiceCall<z.infer<Body>>): unknown;
}

/** What a route gives that has taken a call and has nothing to say: the answer is 202 without a body. */
export const ACCEPTED = Symbol("accepted");

/** Types a route. */
export function serviceRoute<Body extends z.ZodType>(route: ServiceRoute<Body>): ServiceRoute {
  return route;
}

export interface ServiceOptions {
  /** What the description is headed with. */
  readonly title: string;
  readonly host: string;
  /** 0 takes a free one. */
  readonly port: number;
  /** Needed as bearer token of every call but `/health`; `null` for none, on loopback addresses only. */
  readonly token: string | null;
  readonly bodyLimitBytes: number;
  readonly limits: WorkLimits;
  readonly routes: readonly ServiceRoute[];
  /** Figures to show by name, read when they are asked for. */
  readonly gauges?: Readonly<Record<string, { readonly help: string; read(): number }>>;
  /** What `/health` tells besides that it is up. */
  readonly about?: Readonly<Record<string, unknown>>;
}

/** A service that runs. */
export interface RunningService {
  /** `http://<host>:<port>`. */
  readonly url: string;
  /** Stops listening and closes every connection. */
  close(): Promise<void>;
}

const LOOPBACK = /^(localhost|127(\.\d{1,3}){3}|::1|\[::1\])$/;
/** Seconds after which a client that was sent away may come again. */
const RETRY_AFTER_SECONDS = 1;

/** @throws SERVICE_TOKEN_MISSING for an address beyond this machine without a token. */
export function requireTokenBeyondLoopback({ host, token }: Pick<ServiceOptions, "host" | "token">): void {
  if (!LOOPBACK.test(host) && (token ?? "") === "") throw tokenMissing(host);
}

/**
 * Serves routes over HTTP with `/health`, `/metrics` (Prometheus) and `/openapi.json`. Errors are
 * `{error: {code, message, hint}}`; when too many calls wait, the answer is 429 with Retry-After.
 * @throws SERVICE_TOKEN_MISSING for an address beyond this machine without a token, SERVE_FAILED.
 */
export async function startService(options: ServiceOptions): Promise<RunningService> {
  requireTokenBeyondLoopback(options);
  const server = fastify({ bodyLimit: options.bodyLimitBytes, forceCloseConnections: true });
  const queue = new WorkQueue(options.limits);
  const metrics = new ServiceMetrics({
    ...options.gauges,
    gradus_calls_in_flight: { help: "Calls that are being worked on.", read: () => queue.inFlight },
    gradus_calls_waiting: { help: "Calls that wait for their turn.", read: () => queue.waiting },
  });
  server.setValidatorCompiler(() => () => true);
  server.setSerializerCompiler(() => JSON.stringify);
  server.setNotFoundHandler((request, reply) => refuse(reply, routeUnknown(request)));
  server.setErrorHandler((thrown, _request, reply) => refuse(reply, thrown));
  refuseForeignPages(server);
  guardByToken(server, options.token);
  await server.register(swagger, {
    openapi: { openapi: "3.1.0", info: { title: options.title, version: "1" } },
  });
  await server.register(async (scope) => {
    for (const route of options.routes) addRoute(scope, route, queue, metrics);
    await Promise.resolve();
  });
  const about = { status: "ok", ...options.about };
  server.get("/health", { schema: { summary: "Whether the service is up." } }, () => about);
  server.get(
    "/metrics",
    { schema: { summary: "Figures in Prometheus' text form." } },
    async (_request, reply) => reply.type(metrics.contentType).send(await metrics.text()),
  );
  server.get("/openapi.json", { schema: { hide: true } }, () => server.swagger());
  const url = await listen(server, options);
  return { url, close: () => server.close() };
}

function addRoute(
  server: FastifyInstance,
  route: ServiceRoute,
  queue: WorkQueue,
  metrics: ServiceMetrics,
): void {
  const meter = metrics.meter(route.path);
  const schema = {
    summary: route.summary,
    ...(route.body === null ? {} : { body: jsonSchema(route.body) }),
    response: { 200: jsonSchema(route.response) },
  };
  server.route({
    method: route.method,
    url: route.path,
    schema,
    handler: (request, reply) => answer({ route, queue, meter }, request, reply),
  });
}

interface Answering {
  readonly route: ServiceRoute;
  readonly queue: WorkQueue;
  readonly meter: RouteMeter;
}

async function answer(
  { route, queue, meter }: Answering,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<unknown> {
  const done = meter.begin();
  try {
    if (route.isWork && queue.isFull) throw busy(queue);
    const call = callOf(route, request);
    const made = await (route.isWork
      ? queue.run(() => (reply.raw.destroyed ? null : route.handle(call)))
      : route.handle(call));
    done(200);
    return made === ACCEPTED ? reply.code(202).send() : made;
  } catch (thrown) {
    done(statusOf(thrown));
    return refuse(reply, thrown);
  }
}

function callOf(route: ServiceRoute, request: FastifyRequest): ServiceCall<unknown> {
  const { params, query } = request as {
    readonly params: Record<string, string>;
    readonly query: Record<string, string>;
  };
  if (route.body === null) return { body: null, params, query };
  const parsed = route.body.safeParse(request.body);
  if (parsed.success) return { body: parsed.data, params, query };
  const problem = z.prettifyError(parsed.error).replace(/\s*\n\s*/g, " ");
  throw new GradusError("REQUEST_INVALID", `cannot read the body: ${problem}`, {
    hint: "GET /openapi.json describes every call",
  });
}

function refuse(reply: FastifyReply, thrown: unknown): FastifyReply {
  const status = statusOf(thrown);
  if (status === 429) void reply.header("retry-after", String(RETRY_AFTER_SECONDS));
  return reply
    .code(status)
    .type("application/json")
    .send(JSON.stringify(errorBody(thrown)));
}

function guardByToken(server: FastifyInstance, token: string | null): void {
  if (token === null) return;
  // Digests are compared, so that how long it takes tells nothing of the token.
  const expected = sha256(`Bearer ${token}`);
  server.addHook("onRequest", async (request, reply) => {
    if (request.url === "/health" || sha256(request.headers.authorization ?? "") === expected) return;
    await refuse(
      reply,
      new GradusError("TOKEN_REFUSED", "the token is missing or wrong", {
        hint: "send it as: Authorization: Bearer <token>",
      }),
    );
  });
}

/** A page of another site that a browser shows has no business here, even where its name leads to this machine. */
function refuseForeignPages(server: FastifyInstance): void {
  server.addHook("onRequest", (request, reply, done) => {
    const { origin } = request.headers;
    if (origin === undefined || (URL.canParse(origin) && LOOPBACK.test(new URL(origin).hostname)))
      return done();
    void refuse(
      reply,
      new GradusError("ORIGIN_REFUSED", "a page of another site called", {
        hint: "call the service from a program",
      }),
    );
  });
}

function jsonSchema(schema: z.ZodType): unknown {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, { io: "input", unrepresentable: "any" });
  return rest;
}

async function listen(server: FastifyInstance, { host, port }: ServiceOptions): Promise<string> {
  try {
    return await server.listen({ host, port });
  } catch (thrown) {
    throw new GradusError("SERVE_FAILED", `cannot listen on ${host}:${port}: ${messageOf(thrown)}`, {
      hint: "choose another port, or 0 for a free one",
      cause: thrown,
    });
  }
}

function tokenMissing(host: string): GradusError {
  return new GradusError(
    "SERVICE_TOKEN_MISSING",
    `cannot listen on ${host} without a token: others can reach it`,
    {
      hint: "set an environment variable to a secret and name it with --token-env, or listen on 127.0.0.1",
    },
  );
}

function routeUnknown(request: FastifyRequest): GradusError {
  return new GradusError("ROUTE_UNKNOWN", `there is no ${request.method} ${request.url}`, {
    hint: "GET /openapi.json lists the routes",
  });
}

function busy(queue: WorkQueue): GradusError {
  return new GradusError(
    "SERVICE_BUSY",
    `too many calls: ${queue.inFlight} are being worked on and ${queue.waiting} wait`,
    { hint: "call again after the seconds of Retry-After, or raise --max-waiting" },
  );
}
