import { mentionsGivenAnswer } from "./given-answer.ts";

/** What a text gives away by its words. */
export type MentionKind = "given_answer" | "secrecy" | "grading" | "claimed_knowledge";

/** Alternatives of a pattern, written as several strings. */
function any(...alternatives: readonly string[]): RegExp {
  return new RegExp(`(?:${alternatives.join("|")})`, "iu");
}

const THING = "(?:quer(?:y|ies)|sql|answers?|solutions?|statements?|results?|outputs?|code|labels?)";
const OWNER =
  "(?:gold(?:en)?|reference|ground[- ]?truth|oracle|official|hidden|privileged|annotat(?:ed|ion|or'?s?)|model|canonical|target|teacher'?s?|known[- ]good)";
const ME = "(?:i|we)(?:'ve| have|'m| am| are| was| were)?";

const GIVEN_ANSWER = any(
  String.raw`\b${OWNER}\s+(?:\w+\s+)?${THING.replace("|results?|outputs?", "")}\b`,
  String.raw`\bgold(?:en)?\s+(?:\w+\s+)?(?:results?|rows|outputs?|labels?|standard)\b`,
  String.raw`\bthe\s+gold\b(?!\s+(?:medal|coin|price|award|member|card|tier|mine))`,
  String.raw`\b(?:reference|official|oracle)\s+(?:results?|rows|outputs?)\b`,
  String.raw`\b(?:expected|target|desired)\s+(?:sql|quer(?:y|ies)|solutions?|answers?)\b`,
  String.raw`\b(?:match|matches|matching|matched|equals?|agrees?\s+with|same\s+as|identical\s+to|compared?\s+(?:to|with|against)|consistent\s+with)\s+(?:exactly\s+)?(?:the|my)\s+(?:expected|correct|right|known|given|provided|reference|target|required|desired|supplied)\s+(?:\w+\s+)?(?:${THING}|rows?|counts?|values?|one)\b`,
  String.raw`\b(?:as|like|just\s+as)\s+(?:was\s+|is\s+|were\s+)?(?:given|provided|supplied|instructed|suggested|hinted|disclosed|shown\s+to\s+(?:me|us))\b(?!\s+in\s+the\s+(?:question|schema|table|result|evidence|knowledge))`,
  String.raw`\b${ME}\s+(?:already\s+)?(?:been\s+)?(?:given|provided\s+with|shown|handed|told|supplied\s+with)\s+(?:the\s+|a\s+|an\s+|this\s+|one\s+|what\s+|how\s+|that\s+the\s+)(?:\w+\s+)?(?:${THING}|look|write|final)\b`,
  String.raw`\b${THING}\s+(?:that\s+)?(?:\w+\s+)?(?:above|below|beneath|at\s+the\s+end)\b(?<=(?:correct|right|sample|final|provided|given|full|complete|sql)\s+\S+\s+\S+)`,
  String.raw`\b(?:copy(?:ing)?|paste|pasting|reproduc(?:e|ing)|repeat(?:ing)?|transcrib(?:e|ing)|reverse[- ]engineer(?:ing)?|working\s+backwards?|work\s+backwards?|adapt(?:ing)?|borrow(?:ing)?|follow(?:ing)?|mirror(?:ing)?|rewrit(?:e|ing)|justify(?:ing)?)\s+(?:from\s+)?(?:the|that|this|its)\s+(?:\w+\s+)?(?:correct|given|provided|known|final|official|sample|example|intended|original|supplied)\s+(?:\w+\s+)?${THING}\b`,
  String.raw`\b(?:cheat\s*sheet|answer\s+key|answer\s+sheet|model\s+answer|sample\s+solution|solution\s+key|spoilers?|crib)\b`,
  String.raw`\b(?:intended|designated|prescribed|pre-?written|ready-?made|pre-?approved)\s+(?:\w+\s+)?${THING}\b`,
  String.raw`\b(?:one|a|the)\s+correct\s+(?:query|sql|statement|solution)\s*(?::|,|\bis\b|\bhas\b|\buses?\b|\bjoins?\b|\bfilters?\b|\bgroups?\b|\bselects?\b|\borders?\b|\bdoes\b|\bcontains?\b|\breads?\b|\bsays?\b|\bshows?\b|\btells?\b|\breturns?\b|\bI\b)`,
  String.raw`\b(?:the|this|that)\s+(?:answer|solution|query)\s+(?:i|we)\s+(?:have|see|got|hold|possess|know|was|were)\b`,
  String.raw`\b(?:the|an?)\s+(?:annotators?|oracle|teacher|answer\s+key|gold)\s+(?:used|uses|gives?|has|had|wrote|chose|wants?|says|said|does|did|joins?|filters?|groups?|expects?|prefers?)\b`,
  String.raw`\b(?:sample|attached|secret|enclosed|labell?ed|annotated|underlying)\s+(?:\w+\s+)?(?:quer(?:y|ies)|sql|answers?|solutions?|statements?)\b`,
  String.raw`\b(?:quer(?:y|ies)|sql|answers?|solutions?|statements?)\s+(?:that\s+)?(?:was\s+|is\s+|were\s+)?(?:provided|given|supplied|disclosed|revealed|shown|handed|attached|included)\b`,
  String.raw`\b(?:quer(?:y|ies)|sql|answers?|solutions?|statements?)\s+(?:that\s+(?:is|was|stands)\s+)?(?:below|beneath|under|at\s+the\s+end\s+of|in|from|inside|within)\s+(?:the|my|your|this)\s+(?:question|prompt|instructions?|system|user\s+message|message|context|input)\b`,
  String.raw`\b(?:my|the)\s+(?:system\s+)?(?:instructions?|prompt|system\s+message)\s+(?:also\s+)?(?:says?|tells?|reveals?|includes?|gives?|shows?|contains?|mentions?|has|have|lists?|states?)\b`,
  String.raw`\b(?:in|from|by|per)\s+(?:the|my)\s+(?:system\s+)?(?:prompt|instructions?|system\s+message)\b`,
  String.raw`\b(?:have|having|with)\s+the\s+(?:\w+\s+)?(?:answer|solution|query)\s+(?:at\s+hand|in\s+hand|in\s+front\s+of|ready|already)\b`,
  String.raw`\b(?:i|we)\s+(?:was|were|have\s+been|had\s+been)\s+(?:told|given|shown|handed|informed|provided)\b(?!\s+in\s+the\s+(?:question|evidence|knowledge|schema))`,
  String.raw`\b(?:they|you|someone|somebody|the\s+user)\s+(?:gave|handed|showed|told|provided|supplied)\s+(?:me|us)\b`,
  String.raw`\b(?:align|compare|match|check|reconcile|conform)(?:s|ed|ing)?\s+(?:\w+\s+){0,4}(?:with|to|against)\s+the\s+(?:reference|gold|oracle|label|annotation|original|key)\b(?!\s+(?:column|table|key|date|year|value))`,
  String.raw`\b(?:differs?|deviates?|agrees?|coincides?|in\s+line)\s+(?:from|with)\s+the\s+(?:reference|gold|oracle|label|annotation|key)\b`,
  String.raw`\bguaranteed\s+to\s+be\s+(?:right|correct)\b`,
  String.raw`\b(?:answers?|solutions?|quer(?:y|ies)|sql|statements?|code)\s+(?:that\s+|which\s+)?${ME}\s+(?:already\s+)?(?:been\s+)?(?:given|handed|shown|told|supplied|provided|seen|got|received|sent|passed)\b`,
  String.raw`\b(?:sheet|notes?|copy|document|card|file|page|paper|listing|snippet)\s+(?:that\s+|which\s+)?(?:in\s+front\s+of\s+me|at\s+hand|before\s+me|${ME}\s+(?:been\s+)?(?:have|hold|got|given|handed|shown|see|read))\b`,
  String.raw`\b(?:my|the\s+(?:teacher|instructor|tutor|author|annotator|expert)(?:'?s)?)\s+(?:notes?|copy|sheet|key|crib|file|version)\b`,
  String.raw`\b(?:true|ideal|perfect|completed|finished|ultimate|authoritative|definitive|verified|certified|accepted|approved|master)\s+(?:\w+\s+)?(?:quer(?:y|ies)|sql|solutions?|statements?)\b`,
  String.raw`\b(?:according\s+to|as\s+per|per|following|consulting|in\s+line\s+with|based\s+on|by)\s+the\s+(?:reference|key|label|annotation|gold|master|model|original)\b(?!\s+(?:column|table|key|of\b|in\b|between|constraint|name|relation|year|train|boat|car))`,
  String.raw`\b(?:backwards?|reconstruct(?:ed|ing)?|deriv(?:e|ed|ing)|tak(?:e|en|ing)|lift(?:ed|ing)?|cop(?:y|ied|ying)|read(?:ing)?)\s+(?:\w+\s+){0,2}(?:from|off)\s+the\s+(?:finished|completed|ready|solved|final|known|correct|right|given|full)\s+(?:\w+\s+)?(?:${THING}|one)\b`,
  String.raw`\b(?:recall|remember|memori[sz]ed?|look(?:ed)?\s+up|peek(?:ed|ing)?(?:\s+at)?)\s+(?:at\s+)?the\s+(?:\w+\s+)?(?:answer|solution|correct\s+\w+|final\s+query)\b`,
  String.raw`\b(?:vorgegebene|gegebene|richtige|korrekte)[rn]?\s+(?:abfrage|lösung|antwort)\b|musterlösung|referenzabfrage|goldabfrage`,
  String.raw`\brequ[êe]te\s+(?:de\s+référence|fournie|donnée|correcte)\b|r[ée]ponse\s+(?:fournie|donnée|attendue|de\s+r[ée]f[ée]rence)`,
  String.raw`\b(?:consulta|respuesta)\s+(?:correcta|dada|proporcionada|esperada|de\s+referencia)\b`,
  "标准答案|参考答案|正确答案|给定的(?:答案|查询|sql)|正解|模範解答|与えられた(?:クエリ|答え)",
);

const SECRECY = any(
  String.raw`\bpretend(?:ing)?\b`,
  String.raw`\bfor\s+(?:my|your|our)\s+eyes\s+only\b`,
  String.raw`\b(?:must|should|may|can|could|do|will|would)\s*(?:not|n['’]t)\s+(?:be\s+)?(?:mention|reveal|disclose|show|quote|cite|admit|let\s+on|say|give\s+away|refer\s+to|hint|acknowledge|expose|betray|tell)(?:ed|ing)?\b`,
  String.raw`\b(?:cannot|can't)\s+(?:mention|reveal|disclose|admit|quote|let\s+on|give\s+away|acknowledge)\b`,
  String.raw`\bnot\s+(?:supposed|allowed|meant|permitted)\s+to\s+(?:mention|reveal|disclose|show|say|quote|know|see|tell|use|look)\b`,
  String.raw`\bwithout\s+(?:revealing|mentioning|disclosing|giving\s+away|quoting|showing\s+that|letting\s+on|admitting|referring\s+to)\b`,
  String.raw`\b(?:keep|keeping|stay|hide|hiding|conceal(?:ing)?|disguis(?:e|ing))\b[^.\n]{0,40}\b(?:secret|hidden|to\s+myself|source|origin|that\s+i|fact|where)\b`,
  String.raw`\b(?:act|acting|behave|work|working|reason|write|look|seem|appear)\s+as\s+(?:if|though)\s+(?:i|we|it|this|nothing|there)\b`,
  String.raw`\b(?:others|students?|learners?|readers?|the\s+student\s+model)\s+(?:will|cannot|can't|won't|do\s+not|don't|must|should|who|may)\b[^.\n]{0,30}\b(?:learn|see|read|know|notice|imitate|copy)`,
  String.raw`\b(?:privileged|secret|confidential|inside|insider|off[- ]the[- ]record)\s+(?:information|info|knowledge|access|note|hint|view|context|instructions?)\b`,
  String.raw`\bwithout\s+(?:saying|telling|explaining|stating|writing|hinting|betraying|disclosing)\s+(?:where|how|why|that|whence|who|anyone|anybody)\b`,
  String.raw`\bmake\s+it\s+(?:look|seem|appear)\b`,
);

const GRADING = any(
  String.raw`\b(?:grader|grading|marker|evaluator|auto-?grader|judge\s+will|checker\s+will)\b`,
  String.raw`\b(?:will|would|to)\s+be\s+(?:graded|scored|marked|evaluated|judged)\b`,
  String.raw`\b(?:evaluation|scoring|grading|test)\s+(?:script|harness|suite|metric)\b`,
  String.raw`\bexecution\s+(?:match|accuracy)\b|\bexact\s+(?:set\s+)?match\b`,
  String.raw`\b(?:pass(?:es)?|satisf(?:y|ies)|fool)\s+the\s+(?:tests?|check(?:er|s)?|verification|verifier|judge|evaluation)\b`,
  String.raw`\bbenchmark\b|\bfull\s+(?:marks|score|credit|reward)\b|\breward\s+(?:model|function|signal)\b`,
  String.raw`\b(?:dataset|annotat(?:ion|ors?)|spider|bird)(?:'s)?\s+(?:conventions?|annotat(?:ion|ors?)|labels?|expects?|wants?|golds?|authors?)\b`,
  String.raw`\b(?:expected|required|target|known)\s+(?:number\s+of\s+rows|row\s+count|result\s+(?:set|table)|rows?\s+are|count\s+is|rows?\s+(?:is|were))\b`,
  String.raw`\b(?:match|matches|matching|equals?|same\s+as|reproduce[sd]?|return(?:s|ing)?|produce[sd]?|give[sn]?)\s+(?:exactly\s+)?(?:the|its|all\s+the)\s+(?:expected|required|target|known)\s+(?:\w+\s+)?(?:rows?|results?|counts?|values?|columns?|outputs?)\b`,
  String.raw`\b(?:is|are|was|be)\s+(?:expected|known|required)\s+to\s+(?:return|have|be|yield|give|contain|produce)\s+(?:exactly\s+)?(?:\d+|one|two|three|four|five|six|seven|eight|nine|ten|the\s+same)\b`,
  String.raw`\b(?:should|must|has\s+to|have\s+to|needs?\s+to|will)\s+(?:return|have|yield|give|produce|come\s+out\s+(?:as|with)|be)\s+(?:exactly\s+)\d+\b`,
);

const CLAIMED_KNOWLEDGE = any(
  String.raw`\b(?:i|we)\s+(?:already|happen\s+to|secretly|of\s+course|do)\s+know\s+(?:the|that\s+the|what\s+the|how\s+the|which)\b`,
  String.raw`\b(?:i|we)\s+know\s+(?:the|what\s+the|that\s+the)\s+(?:\w+\s+)?(?:${THING})\b`,
  String.raw`\b(?:i|we)\s+know\s+(?:in\s+advance|beforehand|ahead\s+of\s+time|from\s+(?:the\s+(?:answer|solution|outset|start)|elsewhere|before))\b`,
  String.raw`\b(?:knowing|seeing|having\s+seen|having\s+read|given\s+that\s+i\s+know|looking\s+at|from|peeking\s+at|based\s+on|according\s+to|per|judging\s+(?:by|from)|thanks\s+to)\s+(?:the|that|this)\s+(?:\w+\s+)?(?:answer|solution|correct\s+\w+|final\s+query|right\s+query|query\s+(?:i\s+was|shown|given|provided|below|above))\b`,
  String.raw`\b(?:the|an?)\s+(?:right\s+query|true\s+query|actual\s+query|real\s+query|true\s+answer|actual\s+answer|known\s+answer)\s+(?:uses|joins|filters|groups|orders|has|contains|needs\s+no|selects|relies|reads|does\s+not\s+use|doesn't\s+use|goes|counts|starts|ends|takes|wants)\b`,
  String.raw`\b(?:there\s+is|there's)\s+no\s+need\s+to\s+(?:run|check|verify|explore|test)\b|\bno\s+need\s+(?:to|for)\s+(?:explor\w+|test\w*|verif\w+|running|check\w*)\b`,
  String.raw`\b(?:it\s+is|it's|this\s+is)\s+(?:already\s+)?(?:guaranteed|known|certain)\s+to\s+be\s+(?:right|correct)\b|\bguaranteed\s+(?:right|correct)\b`,
  String.raw`\b(?:the\s+)?(?:true|right|correct|actual|real)\s+(?:answer|result|value|count)\s+(?:is|was|should\s+be|must\s+be|will\s+be|turns\s+out\s+to\s+be)\b`,
);

/** A hint that is not there: where a question comes with knowledge, `hint` may mean that. */
const HINT =
  /\b(?:the|this|that|a|my)\s+(?:hints?|tips?|clues?)\b(?!\s+of\b)|\bhinted\b|\bas\s+the\s+note\b|\bthe\s+note\s+(?:says|tells|gives|shows|below|above)\b/iu;

/** What a sampled text says of an answer that was given, the first of each kind with its words. */
export function mentionsIn(
  text: string,
  hasEvidence: boolean,
): { readonly kind: MentionKind; readonly words: string }[] {
  const found: { kind: MentionKind; words: string }[] = [];
  const note = (kind: MentionKind, match: RegExpExecArray | null): void => {
    if (match !== null) found.push({ kind, words: match[0] });
  };
  const given = GIVEN_ANSWER.exec(text);
  if (given === null && mentionsGivenAnswer(text)) found.push({ kind: "given_answer", words: "" });
  note("given_answer", given);
  if (!hasEvidence) note("given_answer", HINT.exec(text));
  note("secrecy", SECRECY.exec(text));
  note("grading", GRADING.exec(text));
  note("claimed_knowledge", CLAIMED_KNOWLEDGE.exec(text));
  return found;
}
