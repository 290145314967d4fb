import { compilePattern, countBytes } from "../../openapi/index.ts";

/** What is wrong with a text, in the words of the API server: rules can compare with what validate() returns. */
export type ExplainFormat = (text: string) => readonly string[];

const LABEL = "[a-z0-9]([-a-z0-9]*[a-z0-9])?";
const LABEL_1035 = "[a-z]([-a-z0-9]*[a-z0-9])?";
const SUBDOMAIN = `${LABEL}(\\.${LABEL})*`;
const NAME = "([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]";
const ENDS = "and must start and end with an alphanumeric character";

function describePattern(rule: string, pattern: string, examples: readonly string[]): string {
  const quoted = examples.map((example) => `'${example}', `).join(" or ");
  return `${rule} (e.g. ${quoted}regex used for validation is '${pattern}')`;
}

function explain(text: string, most: number, pattern: string, message: string): readonly string[] {
  return [
    ...(countBytes(text) > most ? [`must be no more than ${most} bytes`] : []),
    ...(compilePattern(`^${pattern}$`).test(text) ? [] : [message]),
  ];
}

const LABEL_RULE = `a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', ${ENDS}`;

export const explainDns1123Label: ExplainFormat = (text) => {
  const hasDots = compilePattern(`^${SUBDOMAIN}$`).test(text);
  const message = hasDots ? "must not contain dots" : describePattern(LABEL_RULE, LABEL, ["my-name", "123-abc"]);
  return explain(text, 63, LABEL, message);
};

const SUBDOMAIN_RULE = `a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', ${ENDS}`;

export const explainDns1123Subdomain: ExplainFormat = (text) =>
  explain(text, 253, SUBDOMAIN, describePattern(SUBDOMAIN_RULE, SUBDOMAIN, ["example.com"]));

const LABEL_1035_RULE =
  "a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an alphabetic character, and end with an alphanumeric character";

export const explainDns1035Label: ExplainFormat = (text) =>
  explain(text, 63, LABEL_1035, describePattern(LABEL_1035_RULE, LABEL_1035, ["my-name", "abc-123"]));

const VALUE_RULE = `a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', ${ENDS}`;

export const explainLabelValue: ExplainFormat = (text) =>
  explain(text, 63, `(${NAME})?`, describePattern(VALUE_RULE, `(${NAME})?`, ["MyValue", "my_value", "12345"]));

const KEY_RULE = `must consist of alphanumeric characters, '-', '_' or '.', ${ENDS}`;
const KEY_FAULT = describePattern(KEY_RULE, NAME, ["MyName", "my.name", "123-abc"]);

export const explainQualifiedName: ExplainFormat = (text) => {
  const parts = text.split("/");
  if (parts.length > 2)
    return [`a valid label key ${KEY_FAULT} with an optional DNS subdomain prefix and '/' (e.g. 'example.com/MyName')`];
  const name = parts.at(-1) ?? "";
  const [prefix] = parts.length === 2 ? parts : [];
  const ofPrefix = prefix === "" ? [EMPTY] : prefix === undefined ? [] : explainDns1123Subdomain(prefix);
  const ofName = [...(name === "" ? [EMPTY] : []), ...explain(name, 63, NAME, KEY_FAULT)];
  return [...ofPrefix.map((fault) => `prefix part ${fault}`), ...ofName.map((fault) => `name part ${fault}`)];
};

const EMPTY = "must be non-empty";
