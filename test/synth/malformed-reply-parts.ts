import type { GivenReply, MalformedReply, Outcome } from "./malformed-replies.ts";

export const THOUGHT = "<think>\nboat: name\n</think>\n\n";
/** A thought and a summary, as they should be. */
export const WELL = `${THOUGHT}I look.\n\n`;
export const RUN = '{"name": "execute_sql", "arguments": {"sql": "SELECT 1"}}';
export const ANSWER = "```sql\nSELECT name FROM boat\n```";
export const LINKS = '```json\n{"boat": ["name"]}\n```';

export const call = (json: string): string => `<tool_call>\n${json}\n</tool_call>`;
export const ran = (sql: string): Outcome => `act execute-sql-json ${JSON.stringify({ sql })}`;
export const run = (sql: string): string => call(JSON.stringify({ name: "execute_sql", arguments: { sql } }));

/** A call that cannot be made: the end in training mode, a tool error in test mode. */
export function bad(what: string, reply: GivenReply, violation: string): MalformedReply {
  return [what, reply, `stop ${violation}`, `error ${violation}`];
}

/** Anything else against the protocol: the end in training mode, a message in test mode. */
export function told(what: string, reply: GivenReply, violation: string): MalformedReply {
  return [what, reply, `stop ${violation}`, `told guardrail_${violation}`];
}

/** A slip that leaves one meaning: the end in training mode, forgiven in test mode. */
export function slip(what: string, reply: GivenReply, violation: string, outcome: Outcome): MalformedReply {
  return [what, reply, `stop ${violation}`, outcome];
}

/** A reply that only looks malformed. */
export function fine(what: string, reply: GivenReply, outcome: Outcome): MalformedReply {
  return [what, reply, outcome, outcome];
}
