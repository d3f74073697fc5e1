export function trainerFiles(_: unknown): Record<string,string> { return {}; }
