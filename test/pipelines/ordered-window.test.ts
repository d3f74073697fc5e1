import { describe, expect, it } from "vitest";
import { SeededRandom } from "../../core/random.ts";
import { orderedWindow } from "../../pipelines/ordered-window.ts";
import { rowsOf } from "../fakes/run-stage.ts";

async function gather<T>(items: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = [];
  for await (const item of items) all.push(item);
  return all;
}

/** Calls that end in an order of their own, and the most of them at once. */
class Calls {
  most = 0;
  ended = 0;
  #open = 0;
  readonly #random = new SeededRandom(1, "calls");

  readonly double = async (value: number): Promise<number> => {
    this.#open += 1;
    this.most = Math.max(this.most, this.#open);
    await new Promise((resolve) => setTimeout(resolve, this.#random.integer(5)));
    this.#open -= 1;
    this.ended += 1;
    if (value < 0) throw new RangeError(`got ${value}`);
    return value * 2;
  };
}

async function* cutOff(): AsyncGenerator<number> {
  yield await Promise.resolve(1);
  throw new TypeError("cut off");
}

const NUMBERS = Array.from({ length: 40 }, (_, index) => index);

describe("orderedWindow", () => {
  it.each([1, 4, 100])("keeps the order with %i calls in flight at the most", async (width) => {
    const calls = new Calls();
    const results = await gather(orderedWindow(rowsOf(NUMBERS)(), width, calls.double));
    expect(results).toEqual(NUMBERS.map((value) => value + value));
    expect(calls.most).toBe(Math.min(width, 40));
  });

  it("has fewer calls in flight where items are heavy, and one alone that is too heavy", async () => {
    const inFlight: number[] = [];
    let open = 0;
    const action = async (weight: number): Promise<number> => {
      open += weight;
      inFlight.push(open);
      await new Promise((resolve) => setTimeout(resolve, 1));
      open -= weight;
      return weight;
    };
    const weights = [1, 2, 3, 40, 1, 1, 5, 4, 9, 1];
    const weight = { of: (item: number) => item, most: 10 };
    expect(await gather(orderedWindow(rowsOf(weights)(), 100, action, weight))).toEqual(weights);
    expect(Math.max(...inFlight)).toBeLessThan(10 + 40);
    expect(inFlight.slice(4).every((sum) => sum < 10 + 9)).toBe(true);
  });

  it("gives nothing for nothing", async () => {
    expect(await gather(orderedWindow(rowsOf<number>([])(), 3, new Calls().double))).toEqual([]);
  });

  it("fails in the place of the call that failed, and waits for the others", async () => {
    const calls = new Calls();
    const seen: number[] = [];
    const read = async (): Promise<void> => {
      for await (const value of orderedWindow(rowsOf([1, 2, -3, 4, 5, 6])(), 3, calls.double))
        seen.push(value);
    };
    await expect(read()).rejects.toThrow(new RangeError("got -3"));
    expect(seen).toEqual([2, 4]);
    expect(calls.ended).toBe(5);
  });

  it("stops taking items when its reader leaves, and waits for the calls in flight", async () => {
    const calls = new Calls();
    let taken = 0;
    async function* items(): AsyncGenerator<number> {
      for (const value of NUMBERS) {
        taken += 1;
        yield await Promise.resolve(value);
      }
    }
    for await (const value of orderedWindow(items(), 4, calls.double)) {
      expect(value).toBe(0);
      break;
    }
    expect([taken, calls.ended]).toEqual([4, 4]);
  });

  it("passes on what the stream throws", async () => {
    await expect(gather(orderedWindow(cutOff(), 4, new Calls().double))).rejects.toThrow(
      new TypeError("cut off"),
    );
  });
});
