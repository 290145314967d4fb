import { isDeepStrictEqual } from "node:util";
import type * as DocumentParser from "../../src/format/document/document-parser.ts";
import * as documentParser from "../../src/format/document/document-parser.ts";
import { at, objectsAt } from "../../src/model/json.ts";
import { getExpected, type KitDocument, readKitCases, readKitDocuments } from "./kit-files.ts";
import { produce } from "./our-producer.ts";
import { playCase } from "./our-reader.ts";

export type Parser = Pick<typeof DocumentParser, "parseDocument" | "readResult">;

/** A part of the kit that could be removed. */
export type KitItem = {
  readonly name: string;
  /** Whether our programs do as it says; a parser of another schema may stand for ours. */
  readonly passes: (parser?: Parser) => Promise<boolean>;
};

/** Every case, every document that is no producer's, and every producer. */
export function readKitItems(): readonly KitItem[] {
  const cases = readKitCases("cases").map(({ file, scenario }) => ({
    name: file,
    passes: async (parser: Parser = documentParser) =>
      isDeepStrictEqual(await playCase(scenario, parser.parseDocument), getExpected(scenario)),
  }));
  const documents = readKitDocuments().filter(({ name }) => !name.startsWith("producers/"));
  const producers = readKitCases("producers").map(({ file, scenario }) => {
    const expected = objectsAt(scenario, "steps").map((step) => at(step, "document"));
    const texts = expected.map((document) => ({ name: file, text: JSON.stringify(document), isValid: true }));
    const isValid = async (parser?: Parser): Promise<boolean> =>
      (await Promise.all(texts.map((one) => isJudged(one, parser)))).every(Boolean);
    const passes = async (parser?: Parser): Promise<boolean> =>
      (await isValid(parser)) && isDeepStrictEqual(produce(scenario), expected);
    return { name: file, passes };
  });
  const judged = documents.map((one) => ({ name: one.name, passes: (parser?: Parser) => isJudged(one, parser) }));
  return [...cases, ...judged, ...producers];
}

async function isJudged({ text, isValid }: KitDocument, parser: Parser = documentParser): Promise<boolean> {
  const parsed = [await parser.parseDocument(text), await parser.readResult(text)];
  return parsed.every(({ kind }) => kind === (isValid ? "valid" : "invalid"));
}
