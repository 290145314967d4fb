import type { Random } from "../schema/random/random.ts";
import { mutateJson } from "./mutate-json.ts";
import { SEPARATOR } from "./target.ts";

export type Material = {
  /** Texts that the code knows. */
  readonly texts: readonly string[];
  /** An input of the corpus. */
  readonly donor: Buffer;
  readonly maxBytes: number;
};

type Mutator = (input: Buffer, random: Random, material: Material) => Buffer;

const INTERESTING_BYTES = [0, 1, 9, 10, 13, 32, 34, 39, 0x2d, 0x7b, 0x5b, 0x7f, 0x80, 0xc0, 0xff];
const INTERESTING_NUMBERS = ["0", "-1", "1", "65536", "2147483648", "9007199254740993", "1e400", "1e-7", "0x10", "٣"];
const INTERESTING_TEXTS =
  'constructor __proto__ toString null "" {} [] \u0000 \u2028 \u202e \ufeff \ud800 😀 é ../ \r\n %00 ${a}'.split(" ");
const MAX_STEPS = 5;
const MAX_REPEATS = 10;

/** An input like the given one, changed in one place or several. */
export function mutate(input: Buffer, random: Random, material: Material): Buffer {
  let here = input;
  for (let steps = 1 + random.below(MAX_STEPS); steps > 0; steps -= 1)
    here = (random.chance(0.4) ? mutateStructure : random.pick(MUTATORS))(here, random, material);
  return here.subarray(0, material.maxBytes);
}

/** An input of this size in which one part is repeated: what takes as long as the square of its input hangs. */
export function enlarge(input: Buffer, random: Random, size: number): Buffer {
  const [start, length] = pickRange(input, random);
  if (length === 0) return input;
  const part = input.subarray(start, start + length);
  return replace(input, start, 0, Buffer.alloc(Math.max(0, size - input.length), part));
}

/** Changes one of the input's texts as JSON, if it is JSON. */
function mutateStructure(input: Buffer, random: Random, material: Material): Buffer {
  const parts = input.toString("utf8").split(SEPARATOR);
  const index = random.below(parts.length);
  const donor = random.oneOf(material.donor.toString("utf8").split(SEPARATOR)) ?? "";
  const text = mutateJson(parts[index] ?? "", random, { ...material, donor });
  if (text === undefined) return random.pick(MUTATORS)(input, random, material);
  return Buffer.from(parts.with(index, text).join(SEPARATOR));
}

const MUTATORS: readonly [Mutator, ...Mutator[]] = [
  (input, random) => replace(input, random.below(input.length), 1, byte(random.below(256))),
  (input, random) => replace(input, random.below(input.length), 1, byte(random.oneOf(INTERESTING_BYTES) ?? 0)),
  flipBit,
  (input, random) => replace(input, random.below(input.length + 1), 0, byte(random.below(256))),
  (input, random) => replace(input, ...pickRange(input, random), Buffer.alloc(0)),
  (input, random) => replace(input, ...pickRange(input, random), pickPart(input, random)),
  (input, random) => replace(input, random.below(input.length + 1), 0, pickPart(input, random)),
  (input, random, { donor }) => replace(input, random.below(input.length + 1), 0, pickPart(donor, random)),
  (input, random, { donor }) => replace(input, ...pickRange(input, random), pickPart(donor, random)),
  repeatPart,
  (input, random, { texts }) => replace(input, random.below(input.length + 1), 0, pickText(random, texts)),
  (input, random, { texts }) => replaceWord(input, random, pickText(random, texts)),
  (input, random) => replaceNumber(input, random),
  swapLines,
];

function byte(value: number): Buffer {
  return Buffer.from([value]);
}

function replace(input: Buffer, start: number, length: number, by: Buffer): Buffer {
  return Buffer.concat([input.subarray(0, start), by, input.subarray(start + length)]);
}

function flipBit(input: Buffer, random: Random): Buffer {
  const index = random.below(input.length);
  return replace(input, index, 1, byte((input[index] ?? 0) ^ (1 << random.below(8))));
}

/** Most ranges are short. */
function pickRange(input: Buffer, random: Random): [start: number, length: number] {
  const limit = 1 + random.below(random.chance(0.7) ? 16 : Math.max(1, input.length));
  const start = random.below(input.length + 1);
  return [start, Math.min(limit, input.length - start)];
}

function pickPart(input: Buffer, random: Random): Buffer {
  const [start, length] = pickRange(input, random);
  return input.subarray(start, start + length);
}

/** Many repetitions find what grows faster than its input. */
function repeatPart(input: Buffer, random: Random, { maxBytes }: Material): Buffer {
  const [start, length] = pickRange(input, random);
  const part = input.subarray(start, start + length);
  const most = Math.max(1, Math.floor((maxBytes - input.length) / Math.max(1, length)));
  const times = 1 + random.below(Math.min(most, 1 << random.below(MAX_REPEATS)));
  return replace(input, start, 0, Buffer.concat(Array.from({ length: times }, () => part)));
}

function pickText(random: Random, texts: readonly string[]): Buffer {
  return Buffer.from(random.oneOf(random.chance(0.2) ? INTERESTING_TEXTS : texts) ?? "");
}

function replaceWord(input: Buffer, random: Random, by: Buffer): Buffer {
  const words = [...input.toString("latin1").matchAll(/[\w.-]+/g)];
  const word = random.oneOf(words);
  return word ? replace(input, word.index, word[0].length, by) : input;
}

function replaceNumber(input: Buffer, random: Random): Buffer {
  const number = random.oneOf([...input.toString("latin1").matchAll(/\d+/g)]);
  if (!number) return input;
  const text = random.chance(0.5)
    ? (random.oneOf(INTERESTING_NUMBERS) ?? "")
    : String(Number(number[0]) + random.below(5) - 2);
  return replace(input, number.index, number[0].length, Buffer.from(text));
}

function swapLines(input: Buffer, random: Random): Buffer {
  const lines = input.toString("latin1").split("\n");
  const a = random.below(lines.length);
  const b = random.below(lines.length);
  return Buffer.from(
    lines
      .with(a, lines[b] ?? "")
      .with(b, lines[a] ?? "")
      .join("\n"),
    "latin1",
  );
}
