/** A number of 32 bits that depends on two, and on which is which. */
export function mixed(first: number, second: number): number {
  let hash = Math.imul(first ^ 0x2c1b3c6d, 0x9e3779b1) ^ Math.imul(second + 0x165667b1, 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d);
  hash = Math.imul(hash ^ (hash >>> 12), 0x297a2d39);
  return hash ^ (hash >>> 15);
}
