import { z } from "zod";
import { GradusError } from "../../core/errors.ts";
import { ACCEPTED, type ServiceRoute, serviceRoute } from "./service-server.ts";
import { runTool, type ToolService } from "./tool-routes.ts";

/** The version of the protocol that is spoken where a client asks for none. */
const PROTOCOL = "2025-06-18";

const Request = z.looseObject({
  jsonrpc: z.literal("2.0"),
  /** Left out of a notification. */
  id: z.union([z.string(), z.number()]).optional(),
  method: z.string(),
  params: z.looseObject({}).default({}),
});
type Request = z.infer<typeof Request>;

const Call = z.looseObject({ name: z.string(), arguments: z.record(z.string(), z.unknown()).default({}) });

/**
 * `POST /mcp/:database`: the tools of a scaffold on one database as a server of the Model Context Protocol (streamable
 * HTTP without a stream, no sessions). `?scaffold=` chooses another scaffold than the config's.
 */
export function mcpRoutes(service: ToolService): ServiceRoute[] {
  return [
    serviceRoute({
      method: "POST",
      path: "/mcp/:database",
      summary: "The tools of a scaffold on a database, by the Model Context Protocol (?scaffold=).",
      body: Request,
      response: z.looseObject({ jsonrpc: z.literal("2.0") }),
      isWork: true,
      handle: async ({ body, params, query }) => {
        if (body.id === undefined) return ACCEPTED;
        const { scaffold } = query;
        const choice = scaffold === undefined ? {} : { scaffold };
        try {
          const result = await answer(service, body, { database: params["database"] ?? "", choice });
          return { jsonrpc: "2.0", id: body.id, result };
        } catch (thrown) {
          if (!(thrown instanceof GradusError)) throw thrown;
          const code = thrown.code === "MCP_METHOD_UNKNOWN" ? METHOD_UNKNOWN : PARAMETERS_INVALID;
          return {
            jsonrpc: "2.0",
            id: body.id,
            error: { code, message: `${thrown.code}: ${thrown.message}` },
          };
        }
      },
    }),
  ];
}

/** As JSON-RPC numbers them. */
const METHOD_UNKNOWN = -32_601;
const PARAMETERS_INVALID = -32_602;

async function answer(
  service: ToolService,
  { method, params }: Request,
  { database, choice }: { readonly database: string; readonly choice: { readonly scaffold?: string } },
): Promise<unknown> {
  switch (method) {
    case "initialize": {
      const asked = params["protocolVersion"];
      return {
        protocolVersion: typeof asked === "string" ? asked : PROTOCOL,
        capabilities: { tools: {} },
        serverInfo: { name: "gradus", version: "1" },
      };
    }
    case "ping":
      return {};
    case "tools/list": {
      const { tools } = await service.rollouts.take(choice);
      return {
        tools: tools.map(({ schema }) => ({
          name: schema.name,
          description: schema.description,
          inputSchema: schema.parameters,
        })),
      };
    }
    case "tools/call": {
      const call = Call.safeParse(params);
      if (!call.success) throw new GradusError("REQUEST_INVALID", "a call has a name and arguments");
      const body = { ...choice, db_id: database, arguments: call.data.arguments };
      const { text, ok } = await runTool(service, call.data.name, body);
      return { content: [{ type: "text", text }], isError: !ok };
    }
    default:
      throw new GradusError("MCP_METHOD_UNKNOWN", `there is no method ${method.slice(0, 64)}`);
  }
}
