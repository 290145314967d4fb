import { type Json, type JsonObject, isList, isObject, textAt } from "../model/json.ts";
import type { ImageVerification } from "../model/release.ts";
import { parseDocuments } from "../encoding/yaml.ts";
import { type Recommendation, parsePublishedRisk } from "../model/route.ts";
import { buildCluster, DEFAULT_MANIFEST } from "./cluster.ts";
import { patchValue } from "./patch.ts";

/** The contents of a case's file, with the defaults filled in. */
export type CaseText = {
  /** In the format of `preflight record`: API path to object, items, lines or error. */
  readonly cluster: JsonObject;
  /** The target's folder: file name to text. */
  readonly release: Readonly<Record<string, string>>;
  /** Of a target that is a release image: its pull spec, and what is known of its signature. */
  readonly image?: CaseImage;
  /** When the check runs. */
  readonly now: Date;
  /** Ids of other checks to run. */
  readonly otherChecks: readonly string[];
  /** What an update graph says of the update; absent if nobody asked one. */
  readonly recommendation?: Recommendation;
  /** Why no API server can hold the cluster. */
  readonly notReplayed?: string;
  /** Why the printed commands can't be run on an API server that holds it. */
  readonly notTried?: string;
  /** What the case says of its target, and how it is rid of risks: verify/fixes reads both. */
  readonly target: Json | undefined;
  readonly remedies: JsonObject;
  /** Undefined in a new case, until UPDATE=1 writes it. */
  readonly expect: JsonObject | undefined;
};

const KEYS = [
  "source",
  "target",
  "now",
  "otherChecks",
  "published",
  "notReplayed",
  "notTried",
  "cluster",
  "remedies",
  "expect",
  "base",
];

export type CaseImage = { readonly image: string; readonly imageVerification: ImageVerification };

/** What a case differs from, by the name that it gives; none if it differs from nothing but every cluster. */
type FindBase = (name: Json | undefined) => JsonObject | undefined;

/** Parses the YAML of a case. A recorded case has its cluster in a separate file. Throws an Error that describes the problem. */
export function parseCase(text: string, recorded?: JsonObject, findBase: FindBase = () => undefined): CaseText {
  const own = parseDocument(text);
  const base = recorded ? {} : (findBase(own["base"]) ?? {});
  const { source, target, now, otherChecks = [], published, remedies = {}, expect, ...more } = withBase(base, own);
  return {
    cluster: recorded ? recordedCluster(recorded, own) : buildCluster(source, listClusters(base, own)),
    ...buildTarget(target),
    now: parseNow(now),
    otherChecks: texts(otherChecks, "otherChecks"),
    recommendation: published === undefined ? undefined : buildRecommendation(published),
    notReplayed: textAt(more, "notReplayed"),
    notTried: textAt(more, "notTried"),
    target,
    remedies: object(remedies, "remedies"),
    expect: expect === undefined ? undefined : object(expect, "expect"),
  };
}

/** What is read of a target, as a case gives it. */
export function buildTarget(target: Json | undefined): Pick<CaseText, "release" | "image"> {
  return { release: buildRelease(target), ...parseImage(target) };
}

function parseDocument(text: string): JsonObject {
  const parsed = parseDocuments(text);
  if (parsed.kind === "invalid") throw new Error(parsed.message);
  const [document = {}, ...more] = parsed.documents;
  if (!isObject(document) || more.length > 0) throw new Error("a case is one YAML document with keys");
  const unknown = Object.keys(document).filter((key) => !KEYS.includes(key));
  if (unknown.length > 0) throw new Error(`unknown key ${unknown.join(", ")}: a case has ${KEYS.join(", ")}`);
  return document;
}

/** Without the cluster, whose defaults come first. What a case expects is as it is written. */
function withBase({ cluster: _shared, ...base }: JsonObject, { cluster: _own, ...own }: JsonObject): JsonObject {
  const { remedies, expect, ...change } = own;
  const merged = patchValue(base, change);
  return {
    ...(isObject(merged) ? merged : {}),
    ...(remedies === undefined ? {} : { remedies }),
    ...(expect === undefined ? {} : { expect }),
  };
}

function listClusters(...documents: readonly JsonObject[]): readonly JsonObject[] {
  return documents.map(({ cluster }) => object(cluster ?? {}, "cluster"));
}

/** The same at every run: 1970, unless a date decides. */
function parseNow(now: Json | undefined): Date {
  if (now === undefined) return new Date(0);
  const date = new Date(typeof now === "string" ? now : Number.NaN);
  if (Number.isNaN(date.getTime())) throw new Error('now: give a time in quotes, "2026-12-24T10:00:00Z"');
  return date;
}

function recordedCluster(recorded: JsonObject, own: JsonObject): JsonObject {
  if (["base", "source", "cluster"].some((key) => own[key] !== undefined))
    throw new Error("a recorded cluster is all in cluster.json: leave out base, source and cluster");
  return recorded;
}

function buildRelease(target: Json | undefined): Readonly<Record<string, string>> {
  if (typeof target === "string") return { ...metadata(target), ...manifestFiles([DEFAULT_MANIFEST]) };
  const { version, manifests = [DEFAULT_MANIFEST] } = isObject(target) ? target : {};
  if (typeof version !== "string" || !isList(manifests))
    throw new Error("target: give the release's version, 4.19.2, or a map of version and manifests");
  return { ...metadata(version), ...manifestFiles(manifests) };
}

/** The risks that an update graph publishes for the update; none: it recommends it. Or that it has no such update. */
function buildRecommendation(published: Json): Recommendation {
  if (published === "notOffered") return { kind: "notOffered" };
  if (!isList(published)) throw new Error("published: give the list of an update's risks, or notOffered");
  const risks = published.map((risk) => parsePublishedRisk(object(risk, "published")));
  return risks.length === 0 ? { kind: "recommended" } : { kind: "conditional", risks, exposure: "notEvaluated" };
}

const REASONS = ["Forbidden", "NotRecorded", "TimedOut"] as const;
const STATUSES = ["Verified", "Untrusted", "Unknown"] as const;

function parseImage(target: Json | undefined): Pick<CaseText, "image"> {
  const { image, imageVerification } = isObject(target) ? target : {};
  if (image === undefined && imageVerification === undefined) return {};
  const text = textAt(imageVerification, "status");
  const reason = textAt(imageVerification, "reason");
  const message = textAt(imageVerification, "message");
  const status = STATUSES.find((one) => one === text);
  const known = REASONS.find((one) => one === reason);
  if (reason !== known) throw new Error(`target: ${reason} is not a reason that cases know`);
  if (typeof image !== "string" || status === undefined || message === undefined)
    throw new Error("target: an image needs its imageVerification, with a status and a message");
  return { image: { image, imageVerification: { status, message, reason: known } } };
}

function metadata(version: string): Readonly<Record<string, string>> {
  const text = JSON.stringify({ kind: "cincinnati-metadata-v0", version, previous: [], metadata: {} });
  return { "release-metadata": text };
}

/** A manifest is an object; an object of `file` and `text` is a raw file, for contents that are not a valid manifest. */
function manifestFiles(manifests: readonly Json[]): Readonly<Record<string, string>> {
  return Object.fromEntries(
    manifests.map((manifest, index) => {
      const { file, text, ...more } = object(manifest, "target.manifests");
      if (typeof file === "string" && typeof text === "string" && Object.keys(more).length === 0) return [file, text];
      return [`0000_50_demo_${String(index + 1).padStart(2, "0")}.yaml`, JSON.stringify(manifest)];
    }),
  );
}

function object(value: Json, key: string): JsonObject {
  if (!isObject(value)) throw new Error(`${key} holds no map`);
  return value;
}

function texts(value: Json, key: string): readonly string[] {
  const list = isList(value) ? value.filter((item) => typeof item === "string") : [];
  if (!isList(value) || list.length < value.length) throw new Error(`${key} holds no list of texts`);
  return list;
}
