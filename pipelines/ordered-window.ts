/**
 * Maps a stream with up to `width` calls in flight and yields the results in the order of the stream, so
 * that memory depends on `width` alone.
 */
export async function* orderedWindow<T, U>(
  items: AsyncIterable<T>,
  width: number,
  action: (item: T) => Promise<U>,
): AsyncGenerator<U> {
  const pending: Promise<U>[] = [];
  try {
    for await (const item of items) {
      const result = action(item);
      result.catch(() => undefined);
      pending.push(result);
      if (pending.length >= width) yield await (pending.shift() as Promise<U>);
    }
    while (pending.length > 0) yield await (pending.shift() as Promise<U>);
  } finally {
    await Promise.allSettled(pending);
  }
}
