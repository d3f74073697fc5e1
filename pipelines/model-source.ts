import { GradusError } from "../core/errors.ts";
import type { Model, ModelSource } from "../core/model.ts";
import type { ModelRole } from "./config.ts";

/** The name of the simulated model where none is given. */
export const SIMULATED_MODEL_NAME = "simulated-student";

/** A server that a model source started itself. */
export interface LocalServer {
  readonly url: string;
  close(): Promise<void>;
}

/** Starts the local servers of roles that need one. */
export interface LocalServers {
  simulated(role: Extract<ModelRole, { provider: "simulated" }>): Promise<LocalServer>;
  replay(role: Extract<ModelRole, { provider: "replay" }>): Promise<LocalServer>;
}

/** A model source whose models and servers end with `close`. */
export interface OpenModelSource extends ModelSource {
  /** The models opened so far, by role. */
  opened(): Promise<ReadonlyMap<string, Model>>;
  close(): Promise<void>;
}

/**
 * Opens the models of a config by role, each once, on first use. Simulated and replayed models are served over
 * local HTTP and asked through the same client as a real one. Clients are loaded when they are needed, so that
 * commands that ask nothing start soon.
 */
export function createModelSource(
  roles: Readonly<Record<string, ModelRole>>,
  servers: LocalServers,
): OpenModelSource {
  const models = new Map<string, Promise<Model>>();
  const started: LocalServer[] = [];
  const start = async (server: Promise<LocalServer>): Promise<string> => {
    const local = await server;
    started.push(local);
    return `${local.url}/v1`;
  };
  const open = async (role: ModelRole): Promise<Model> => {
    if (role.provider === "anthropic") {
      const { createAnthropicModel } = await import("../io/models/anthropic-model.ts");
      return createAnthropicModel(role.client);
    }
    const { createOpenAiModel } = await import("../io/models/openai-model.ts");
    if (role.provider === "openai") return createOpenAiModel(role.client);
    const { baseUrl = null, baseUrls = null } = role.client;
    const server = role.provider === "simulated" ? () => servers.simulated(role) : () => servers.replay(role);
    const isServed = baseUrl !== null || baseUrls !== null;
    const address = isServed ? {} : { baseUrl: await start(server()) };
    return createOpenAiModel({ ...role.client, ...address });
  };
  return {
    open: (name) => {
      const role = roles[name];
      if (role === undefined) return Promise.reject(unknownRole(name, Object.keys(roles)));
      let model = models.get(name);
      if (model === undefined) {
        model = open(role);
        models.set(name, model);
      }
      return model;
    },
    opened: async () => {
      const entries = await Promise.all(
        [...models].map(async ([name, model]) => [name, await model] as const),
      );
      return new Map(entries);
    },
    close: async () => {
      for (const model of await Promise.allSettled(models.values())) {
        if (model.status === "fulfilled") await model.value.close();
      }
      for (const server of started) await server.close();
    },
  };
}

function unknownRole(name: string, known: readonly string[]): GradusError {
  return new GradusError(
    "MODEL_ROLE_UNKNOWN",
    `there is no model of the role "${name}", expected one of: ${known.length === 0 ? "none, since models is empty" : known.join(", ")}`,
    { hint: "add the role under models in the config" },
  );
}
