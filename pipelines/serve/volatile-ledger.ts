import type { Ledger } from "../../core/ledger.ts";

/** A ledger of episodes that somebody else samples: it keeps nothing, since what is paid for is the trainer's. */
export const VOLATILE_LEDGER: Ledger = {
  keepsNothing: true,
  openSample: () => Promise.resolve(),
  turns: () => [],
  commitReply: () => Promise.resolve(),
  commitObservation: () => Promise.resolve(),
  dropTurnsFrom: () => Promise.resolve(),
  finish: () => Promise.resolve(),
  outcome: () => undefined,
  record: () => Promise.resolve(),
  samples: () => [],
  samplesOf: () => [],
  close: () => Promise.resolve(),
};
