import type { Model, ModelSource } from "../core/model.ts";

/** Models as stages ask them, one for each model of the run. */
const DRAINED = new WeakMap<Model, Model>();

/** The model of a role; an interruption lets its requests on their way end, since they are paid for. */
export async function openDrained(role: string, models: ModelSource): Promise<Model> {
  const model = await models.open(role);
  const never = new AbortController().signal;
  const drained: Model = DRAINED.get(model) ?? {
    complete: (request, signal) => model.complete(request, signal, never),
    account: () => model.account(),
    close: () => model.close(),
  };
  DRAINED.set(model, drained);
  return drained;
}
