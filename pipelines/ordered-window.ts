/** What items weigh, and the most that those in flight may weigh together but for the last one. */
export interface WindowWeight<T> {
  readonly of: (item: T) => number;
  readonly most: number;
}

/**
 * Maps a stream with up to `width` calls in flight, or fewer heavy ones, and yields the results in the order of the
 * stream, so that memory depends on `width` and `weight` alone.
 */
export async function* orderedWindow<T, U>(
  items: AsyncIterable<T>,
  width: number,
  action: (item: T) => Promise<U>,
  weight?: WindowWeight<T>,
): AsyncGenerator<U> {
  const pending: { readonly result: Promise<U>; readonly weight: number }[] = [];
  let inFlight = 0;
  const most = weight?.most ?? Infinity;
  const isFull = (): boolean => pending.length >= width || (pending.length > 0 && inFlight >= most);
  const next = (): Promise<U> => {
    const first = pending.shift() as (typeof pending)[number];
    inFlight -= first.weight;
    return first.result;
  };
  try {
    for await (const item of items) {
      const result = action(item);
      result.catch(() => undefined);
      const one = { result, weight: weight?.of(item) ?? 0 };
      pending.push(one);
      inFlight += one.weight;
      while (isFull()) yield await next();
    }
    while (pending.length > 0) yield await next();
  } finally {
    await Promise.allSettled(pending.map(({ result }) => result));
  }
}
