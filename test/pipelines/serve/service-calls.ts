import type { ServiceRoute } from "../../../pipelines/serve/service-server.ts";

/** Calls a route as the server does; throws what it throws. */
export async function callRoute(
  routes: readonly ServiceRoute[],
  route: string,
  body: unknown,
  parts: {
    readonly params?: Readonly<Record<string, string>>;
    readonly query?: Readonly<Record<string, string>>;
  } = {},
): Promise<Record<string, unknown>> {
  const found = routes.find(({ path }) => path === route);
  if (found === undefined) throw new Error(`there is no route ${route}`);
  const call = { body: found.body?.parse(body), params: parts.params ?? {}, query: parts.query ?? {} };
  const answer: unknown = await found.handle(call);
  found.response.parse(answer);
  return answer as Record<string, unknown>;
}
