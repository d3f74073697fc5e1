import type { Message, ToolCall } from "../../core/trajectory.ts";
import { shortenText } from "../../synth/one-line-text.ts";
import { actionText, saidBesides } from "../render-rollout.ts";
import { numberHtml, pageText } from "./page-text.ts";
import type { RolloutKind, ShownRollout } from "./report-document.ts";
import { numberAt } from "./report-sections.ts";
import { showNumber } from "./shown-number.ts";

/** Characters of one text, and of all texts of a rollout, that a page shows; what is over is counted there. */
const TEXT_LIMIT = 24_000;
const ROLLOUT_LIMIT = 64_000;

const KIND_TITLES: Readonly<Record<RolloutKind, { readonly title: string; readonly note: string }>> = {
  right: { title: "Right", note: "Answers that are right, without a fault on the way." },
  repaired: {
    title: "Repaired",
    note: "Right in the end, after an error, an empty result, or a reminder of the form of a reply.",
  },
  wrong: { title: "Wrong", note: "Answers that are not right." },
};

/** Rollouts to read turn by turn, by kind. */
export function rolloutsHtml(rollouts: readonly ShownRollout[]): string {
  const kinds = (Object.keys(KIND_TITLES) as RolloutKind[]).filter((kind) =>
    rollouts.some((rollout) => rollout.kind === kind),
  );
  return kinds
    .map((kind) => {
      const { title, note } = KIND_TITLES[kind];
      const shown = rollouts.flatMap((rollout, index) =>
        rollout.kind === kind ? [rolloutHtml(rollout, index)] : [],
      );
      return `<h3>${title}</h3>\n<p class="note">${note}</p>\n${shown.join("\n")}`;
    })
    .join("\n");
}

function rolloutHtml(rollout: ShownRollout, place: number): string {
  const { trajectory, question, kind, system } = rollout;
  const shown = new ShownTexts();
  const turns = trajectory.messages.map((message, index) =>
    messageHtml(message, index, trajectory.messages, shown),
  );
  const { finalSql } = trajectory;
  const answer = finalSql === null ? '<p class="note">No answer.</p>' : shown.block(finalSql);
  const gold = rollout.gold === null ? "" : `<h4>Gold</h4>${shown.block(rollout.gold)}`;
  const evidence =
    rollout.evidence === null || rollout.evidence === ""
      ? ""
      : `<p class="note">Evidence: ${shown.text(rollout.evidence)}</p>`;
  const replies = trajectory.messages.filter(({ origin }) => origin === "sampled").length;
  return [
    `<details class="rollout ${kind}"><summary><span class="question">${pageText(shortenText(question, 300))}</span>`,
    `<span class="meta">${pageText(system)} · ${pageText(rollout.hardness)} · ${replies} ${replies === 1 ? "reply" : "replies"}</span></summary>`,
    `<dl class="facts"><dt>sample</dt><dd><code>${pageText(trajectory.id)}</code></dd><dt>of</dt><dd>${pageText(rollout.dataset)} ${pageText(rollout.sourceId)}, database ${pageText(rollout.databaseId)}</dd><dt>ended</dt><dd>${pageText(trajectory.stopReason.replaceAll("_", " "))}</dd>${verdictsHtml(rollout, place)}</dl>`,
    evidence,
    turns.length === 0 ? "" : `<ol class="turns">${turns.join("\n")}</ol>`,
    `<div class="ends"><div><h4>Answer</h4>${answer}</div><div>${gold}</div></div>`,
    "</details>",
  ].join("\n");
}

function verdictsHtml({ verdicts }: ShownRollout, place: number): string {
  return Object.entries(verdicts)
    .map(([metric, verdict]) => {
      const shown =
        typeof verdict === "number"
          ? numberHtml(
              numberAt(
                { rollouts: { [place]: { verdicts } } },
                ["rollouts", place, "verdicts", metric],
                "plain",
              ),
            )
          : pageText(verdict.replaceAll("_", " "));
      return `<dt>${pageText(metric)}</dt><dd>${shown}</dd>`;
    })
    .join("");
}

function messageHtml(message: Message, index: number, all: readonly Message[], shown: ShownTexts): string {
  const { origin, role, reasoning, toolCalls } = message;
  if (origin !== "sampled") {
    const isOpening = origin === "given";
    const title =
      origin === "environment" ? `result${calledName(message, index, all)}` : isOpening ? role : "reminder";
    const body = shown.block(message.rawText);
    return isOpening
      ? `<li class="given"><details><summary>${title}, ${showNumber(message.rawText.length, "count")} characters</summary>${body}</details></li>`
      : `<li class="${origin}"><span class="who">${pageText(title)}</span>${body}</li>`;
  }
  const said = saidBesides(message);
  const parts = [
    ...(reasoning === null || reasoning === "" ? [] : [`<p class="thought">${shown.text(reasoning)}</p>`]),
    ...(said === "" ? [] : [shown.block(said)]),
    ...toolCalls.map((call: ToolCall) => actionHtml(call, shown)),
  ];
  const trained = message.train ? "" : ' <span class="untrained">not trained on</span>';
  return `<li class="sampled"><span class="who">model${trained}</span>${parts.join("\n")}</li>`;
}

/** A call: its tool, and its argument where it is one text, else all by name. */
function actionHtml(call: ToolCall, shown: ShownTexts): string {
  const values = Object.values(call.arguments ?? {});
  const [only] = values;
  const text =
    call.arguments === null
      ? call.argumentsRaw
      : values.length === 1 && typeof only === "string"
        ? only
        : actionText(call).slice(call.name.length + 1);
  return `<span class="who">calls ${pageText(call.name)}</span>${shown.block(text, "action")}`;
}

function calledName({ toolCallId }: Message, index: number, all: readonly Message[]): string {
  if (toolCallId === null) return "";
  const call = all
    .slice(0, index)
    .flatMap(({ toolCalls }) => toolCalls)
    .findLast(({ id }) => id === toolCallId);
  return call === undefined ? "" : ` of ${call.name}`;
}

/** From here on a block scrolls for itself, and the keyboard can reach it. */
const LONG = { lines: 22, characters: 1_400 };

/** Texts of one rollout, as far as they fit. */
class ShownTexts {
  #left = ROLLOUT_LIMIT;

  block(text: string, name = ""): string {
    const isLong = text.length > LONG.characters || text.split("\n").length > LONG.lines;
    const names = [...(name === "" ? [] : [name]), ...(isLong ? ["long"] : [])];
    const named = names.length === 0 ? "" : ` class="${names.join(" ")}"`;
    return `<pre${named}${isLong ? ' tabindex="0"' : ""}>${this.text(text)}</pre>`;
  }

  text(text: string): string {
    const room = Math.max(0, Math.min(TEXT_LIMIT, this.#left));
    this.#left -= Math.min(text.length, room);
    if (text.length <= room) return pageText(text);
    return `${pageText(text.slice(0, room))}\n… of ${text.length} characters; gradus explain shows them all`;
  }
}
