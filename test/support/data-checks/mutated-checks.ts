import type { Random } from "../../../verify/schema/random/random.ts";

/** Parts that real checks rarely have, or never. */
const HOSTILE: readonly string[] = [
  "null",
  "[]",
  "{}",
  '""',
  "-1",
  "9223372036854775807",
  "1e308",
  '"${"',
  '"\\u202e"',
  "object",
  "now",
  "dyn({})",
  "optional.none()",
  '"(a+)+$"',
  '"[" ',
  '"x".matches("(a|aa)+$")',
  "[1, 2, 3].map(a, [1, 2, 3].map(b, [1, 2, 3].map(c, [a, b, c])))",
  "(".repeat(300),
  "!".repeat(40),
  `"${"x".repeat(9_000)}"`,
  "<<: *a",
  "&a [*a]",
  "!!binary x",
  "${object}",
  "$${",
  "  - forEach: nodes.items",
  "    when: true || nodes.items[7].spec.a",
  "v1/secrets",
  "v1/pods",
];

const TOKEN = /[A-Za-z_][\w.-]*|\d+|"[^"\n]*"|'[^'\n]*'|[&|=!<>]{2}|\s+|./gs;

/** A check's text with some of its tokens and lines removed, repeated, exchanged or replaced by those of others, or by hostile ones. */
export function mutateCheck(text: string, others: readonly string[], random: Random, id: string): string {
  const named = text
    .replace(/name: [a-z][a-z0-9-]*/, `name: ${id}`)
    .replaceAll(/^( *- name: )([A-Z]\w+)/gm, `$1${id.toUpperCase()}$2`);
  let mutated = named;
  const changes = random.chance(0.7) ? 1 : 3;
  for (let i = 0; i < changes; i++)
    mutated = (random.chance(0.3) ? mutateLines : mutateTokens)(mutated, others, random);
  return mutated;
}

function mutateTokens(text: string, others: readonly string[], random: Random): string {
  const tokens: readonly string[] = text.match(TOKEN) ?? [];
  const at = random.below(tokens.length);
  const own = tokens[at] ?? "";
  const foreign = random.oneOf((random.oneOf(others) ?? "").match(TOKEN) ?? []) ?? "";
  const replacement = random.pick([foreign, foreign, random.oneOf(HOSTILE) ?? "", "", `${own} ${own}`]);
  return tokens.with(at, replacement).join("");
}

function mutateLines(text: string, others: readonly string[], random: Random): string {
  const lines = text.split("\n");
  const at = random.below(lines.length);
  const line = lines[at] ?? "";
  const foreign = random.oneOf((random.oneOf(others) ?? "").split("\n")) ?? "";
  const replacement = random.pick([[], [line, line], [foreign, line]]);
  return lines.toSpliced(at, 1, ...replacement).join("\n");
}
