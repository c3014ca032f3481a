/** A pattern of texts that try to steer a language model. */
interface Sign {
  readonly name: string;
  /** Matches lower-case text, as case-insensitive patterns are several times slower. */
  readonly pattern: RegExp;
  /** A text with a total weight of 1 counts as an attack. */
  readonly weight: number;
}

const sign = (name: string, weight: number, source: string): Sign => ({
  name,
  weight,
  pattern: new RegExp(source, "u"),
});

const GAP = "[^.!?\\n。]{0,40}?";

/** Instructions to ignore earlier ones: one line per language. */
const OVERRIDES: readonly Sign[] = [
  sign(
    "override-en",
    1,
    `\\b(?:ignore|disregard|forget|override|bypass|discard|skip|do not follow)\\b${GAP}\\b(?:previous|prior|earlier|above|preceding|all|any|your|the|system|original|initial)\\b${GAP}\\b(?:instructions?|prompts?|rules|directives?|guidelines|commands|constraints|told|guardrails)\\b`,
  ),
  sign(
    "override-de",
    1,
    `\\b(?:ignorier\\w*|vergiss|vergessen sie|missachte\\w*|verwirf|überschreibe)\\b${GAP}\\b(?:anweisungen|befehle|regeln|vorgaben|instruktionen|prompts?|richtlinien)`,
  ),
  sign(
    "override-fr",
    1,
    `(?:ignore[zr]?|oublie[zr]?|négligez|ne (?:tiens|tenez) pas compte)${GAP}(?:instructions|consignes|règles|directives|ordres)`,
  ),
  sign(
    "override-es",
    1,
    `(?:ignor[ae]|olvid[ae]|descart[ae]|haz caso omiso|no sigas)\\w*${GAP}(?:instrucciones|órdenes|reglas|indicaciones|directrices)`,
  ),
  sign(
    "override-it",
    1,
    `(?:ignora|ignorate|dimentica|dimenticate|trascura|non seguire)\\b${GAP}(?:istruzioni|regole|direttive|indicazioni|comandi)`,
  ),
  sign(
    "override-pt",
    1,
    `(?:ignore|ignora|esqueça|esquece|desconsidere|descarte)\\b${GAP}(?:instruções|regras|ordens|diretrizes|comandos)`,
  ),
  sign(
    "override-nl",
    1,
    `(?:negeer|vergeet|sla)\\b${GAP}(?:instructies|regels|opdrachten|aanwijzingen|richtlijnen)`,
  ),
  sign(
    "override-pl",
    1,
    `(?:zignoruj|ignoruj|zapomnij|pomiń|odrzuć)${GAP}(?:instrukcj|polece|zasad|wytyczn|reguł)`,
  ),
  sign(
    "override-ru",
    1,
    `(?:игнорируй|проигнорируй|забудь|отбрось|не следуй)\\p{L}*${GAP}(?:инструкци|указани|правил|команд)`,
  ),
  sign(
    "override-tr",
    1,
    `(?:talimat|komut|kural|yönerge)\\p{L}*${GAP}(?:yok say|görmezden gel|unut|dikkate alma)`,
  ),
  sign(
    "override-zh",
    1,
    `(?:忽略|无视|忘记|忘掉|不要理会|忽視|無視)[^。\\n]{0,20}(?:指令|指示|提示|规则|規則|命令|说明)`,
  ),
  sign("override-ja", 1, `(?:指示|命令|指令|ルール|プロンプト)[^。\\n]{0,12}(?:無視|忘れ|破棄|従わない)`),
  sign("override-ko", 1, `(?:지시|명령|지침|규칙|프롬프트)[^.\\n]{0,14}(?:무시|잊어|따르지)`),
];

/** Texts that address a model, or its secrets. */
const ADDRESSES: readonly Sign[] = [
  sign(
    "reader",
    0.6,
    "\\b(?:if you are|as) an? (?:ai|llm|language model|ai (?:agent|assistant|model)|chatbot|automated (?:agent|system))\\b[^.\\n]{0,60}\\b(?:you must|you should|reading|processing|summari[sz]ing|say|write|include|output|respond)",
  ),
  sign(
    "note",
    0.6,
    "\\b(?:note|message|attention|important|instructions?|notice)(?: for| to)?:? (?:all |any |the )?(?:ai|llms?|language models?|ai (?:agents?|assistants?|models?|crawlers?)|chatbots?|assistants?)\\b ?[:,!–-]",
  ),
  sign(
    "persona",
    0.6,
    "\\byou are (?:now|no longer|henceforth)\\b[^.\\n]{0,60}\\b(?:assistant|ai|model|dan|mode|bot|restricted|bound|unrestricted|jailbroken)\\b",
  ),
  sign("from-now", 0.5, "\\bfrom now on,? (?:you|always|only|respond|answer)\\b"),
  sign(
    "mode",
    0.6,
    "\\b(?:developer|god|dan|jailbreak|unrestricted|admin|debug|maintenance) mode\\b[^.\\n]{0,30}\\b(?:enabled|activated|on|engaged)\\b",
  ),
  sign(
    "prompt-leak",
    1,
    "\\b(?:reveal|print|repeat|output|show|disclose|leak|dump|display)\\b[^.!?\\n]{0,30}\\b(?:your|the) (?:system |hidden |initial |original |secret )(?:prompt|instructions|message|configuration)",
  ),
  sign(
    "secrecy",
    0.6,
    "\\b(?:do not|don't|never|without) (?:tell|telling|mention|mentioning|inform|informing|reveal|show|alert|alerting)\\b[^.\\n]{0,20}\\b(?:the )?(?:user|human|reader|operator)",
  ),
  sign(
    "send",
    0.8,
    "\\b(?:send|post|forward|upload|exfiltrate|transmit|append)\\b[^.\\n]{0,60}\\b(?:conversation|chat history|api keys?|credentials|passwords?|cookies|system prompt|user'?s? data|context)\\b[^.\\n]{0,40}(?:https?:|to\\b)",
  ),
  sign(
    "instead",
    0.4,
    "\\b(?:instead|rather),? (?:say|output|respond|reply|write|print|answer|return|recommend)\\b",
  ),
  sign(
    "new-orders",
    0.8,
    "\\b(?:new|updated|real|actual|revised) (?:system )?(?:instructions?|task|directive|prompt)(?: (?:is|are|for you|follows?))? ?:",
  ),
];

/** Role markers of model conversations, which normal pages do not contain. */
const ROLES: readonly Sign[] = [
  sign(
    "role-token",
    1,
    "<\\|(?:im_start|im_end|system|endoftext|start_header_id|eot_id|assistant|user)\\|>|\\[/?inst\\]|<</?sys>>|<(?:start|end)_of_turn>",
  ),
  sign(
    "role-line",
    0.6,
    "(?:^|\\n)[ \\t>#*]{0,6}(?:system|assistant)(?: prompt| message)?[* ]{0,3}:[^\\n]{0,40}\\b(?:you|ignore|must|always|never|respond)\\b",
  ),
  sign(
    "role-tag",
    0.7,
    "</?(?:system|system_prompt|instructions?|assistant|important)>[^<\\n]{0,200}\\b(?:you|ignore|must|always|never|respond|output)\\b",
  ),
  sign(
    "frame",
    0.7,
    "(?:begin|start|end) (?:of )?(?:system|hidden|admin|new) (?:prompt|instructions?|message)",
  ),
];

export const SIGNS: readonly Sign[] = [...OVERRIDES, ...ADDRESSES, ...ROLES];
