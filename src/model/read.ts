import type { JsonObject } from "./json.ts";
import type { NeededField } from "./needed-fields.ts";
import type { Absence, QueryAnswer, ReadFailure } from "./reader.ts";
import { buildResourcePath, type Resource, parseResource } from "./resource.ts";
import type { CheckSubject } from "./halves.ts";
import type { Platform } from "./version.ts";

/** Options of every read. */
type ReadOptions = {
  /** The one platform on which the read is performed and needs a right; on the other it is absent. Both platforms by default. */
  readonly only?: Platform;
  /**
   * The annotations whose values `keep` reads; one that ends with a slash or a dash stands for all that begin so. A recording keeps the
   * values of no others.
   */
  readonly annotations?: readonly string[];
  /** What `keep` reads, if that is known: a recording keeps it, and one that left it out says nothing of the objects. */
  readonly fields?: readonly NeededField[];
  /** Of texts that recordings reduce, they have what `keep` reads. */
  readonly isReducedEnough?: boolean;
  /** Set while a check about such a subject is planned: it is read where the subject is. */
  readonly subject?: CheckSubject;
};

/** One object; `keep` extracts the fields that the check needs. */
export type Get<T = unknown> = ReadOptions & {
  readonly kind: "get";
  readonly resource: Resource;
  readonly namespace?: string;
  readonly name: string;
  /** Only the cluster says which names are read, and in which namespaces, so a role grants all. */
  readonly isOfAnyName?: true;
  readonly keep: (object: JsonObject) => T;
};

/** Every object of a kind, streamed through `keep`: only the values that it returns stay in memory; undefined keeps nothing. */
export type Each<T = unknown> = ReadOptions & {
  readonly kind: "each";
  readonly resource: Resource;
  readonly keep: (object: JsonObject) => T | undefined;
  /** Only apiVersion, kind and metadata are requested and passed to `keep`: the only way to read Secrets. */
  readonly isMetadataOnly?: true;
  /** No role that "preflight rbac" prints grants the list, since the kind is another product's. */
  readonly isUngranted?: true;
  /** What a failure of the list itself proves, kept as if it were of an object; undefined if it proves nothing. */
  readonly keepFailure?: (failure: ReadFailure) => T | undefined;
  /** Called before the list is read, and again if it is read anew, so that a `keep` that sums up begins at zero. */
  readonly begin?: () => void;
  /** Called once the list has ended or failed, so that `keep` can release its working data. */
  readonly done?: () => void;
  /**
   * What the check finds in the objects that an archive holds is true whatever the others are: in each object alone, or in all objects of
   * one namespace together. Without it, a list that may lack objects counts as failed.
   */
  readonly soundInPart?: "object" | "namespace";
  /** `keep` reads managedFields, which archives leave out. */
  readonly readsManagedFields?: true;
};

/**
 * The text at a path that is neither an object nor a list, such as "/version" or "/metrics": streamed line by line. Only lines for which
 * `isRelevant` is true are kept; `keep` receives them with their line ends.
 */
export type Raw<T = unknown> = ReadOptions & {
  readonly kind: "raw";
  readonly path: string;
  readonly isRelevant: (line: string) => boolean;
  readonly keep: (text: string) => T;
};

/** An instant query of the cluster's own monitoring. Its value says why there is no answer, since only the check knows what it is about. */
export type Query = ReadOptions & { readonly kind: "query"; readonly expression: string };

export type Read = Get | Each | Raw | Query;
export type Reads = Readonly<Record<string, Read>>;
/** Reads that follow from others: one that is undefined is not needed. */
export type OptionalReads = Readonly<Record<string, Read | undefined>>;
export type NoReads = Readonly<Record<string, never>>;

export type GetResult<T> = { readonly kind: "found"; readonly value: T } | Absence;
/**
 * Values are in the order of the objects' namespaces and names. `heldNamespaces`: if an archive does not hold every object, the namespaces
 * of which it does.
 */
export type ListResult<T> =
  | {
      readonly kind: "found";
      readonly values: readonly T[];
      readonly heldNamespaces?: ReadonlySet<string>;
      /** The objects came without their managedFields. */
      readonly lacksManagedFields?: true;
    }
  | Absence;

type ReadResult<R> =
  R extends Get<infer T>
    ? GetResult<T>
    : R extends Raw<infer T>
      ? GetResult<T>
      : R extends Each<infer T>
        ? ListResult<T>
        : R extends Query
          ? { readonly kind: "found"; readonly value: QueryAnswer }
          : never;
export type ReadResults<R extends OptionalReads> = { readonly [K in keyof R]: ReadResult<R[K]> };

/** What came of any read. `gaps`: what an archive lacks of a list that the check can judge all the same. */
export type GatherResult =
  | GetResult<unknown>
  | (ListResult<unknown> & { readonly gaps?: readonly ReadFailure[] })
  | ReadFailure;

export type Gathered = ReadonlyMap<Read, GatherResult>;

/** Stands for the path of all queries. */
export const QUERIES_PATH = "the cluster's monitoring";

/** The API path of a read, with its subject: equal for reads that one request can answer. */
export function getReadPath(read: Read): string {
  const path = getApiPath(read);
  return read.subject === undefined ? path : `${read.subject} ${path}`;
}

function getApiPath(read: Read): string {
  if (read.kind === "raw") return read.path;
  if (read.kind === "query") return QUERIES_PATH;
  return read.kind === "get"
    ? buildResourcePath(read.resource, read.namespace, read.name)
    : buildResourcePath(read.resource);
}

/** A read of the object `where` ("name" or "namespace/name") of a resource such as "config.openshift.io/v1/nodes". */
export function get<T>(resource: string, where: string, keep: (object: JsonObject) => T): Get<T> {
  const [name, namespace] = where.split("/").toReversed();
  if (!name) throw new Error(`${where} names no object`);
  return { kind: "get", resource: parseResource(resource), ...(namespace ? { namespace } : {}), name, keep };
}

export function each<T>(resource: string | Resource, keep: (object: JsonObject) => T | undefined): Each<T> {
  return { kind: "each", resource: typeof resource === "string" ? parseResource(resource) : resource, keep };
}

/** A read of the metadata of every object of a kind. */
export function eachMetadata<T>(resource: string | Resource, keep: (object: JsonObject) => T | undefined): Each<T> {
  return { ...each(resource, keep), isMetadataOnly: true };
}

export function raw<T>(
  path: string,
  keep: (text: string) => T,
  isRelevant: (line: string) => boolean = () => true,
): Raw<T> {
  return { kind: "raw", path, isRelevant, keep };
}

export function query(expression: string): Query {
  return { kind: "query", expression };
}

/** A read of an object that another names. Where rights are listed, what it is called stands for that. */
export function ofAnyName<T>(read: Get<T>): Get<T> {
  return { ...read, isOfAnyName: true };
}

/** A list whose objects the check can judge without the objects that an archive does not hold. */
export function soundInPart<T>(soundness: "object" | "namespace", read: Each<T>): Each<T> {
  return { ...read, soundInPart: soundness };
}

/** A list of whose objects the check reads the managedFields. */
export function withManagedFields<T>(read: Each<T>): Each<T> {
  return { ...read, readsManagedFields: true };
}

/** A read whose `keep` reads the values of these annotations. */
export function withAnnotations<R extends Read>(annotations: readonly string[], read: R): R {
  return { ...read, annotations };
}

/** A read whose `keep` reads nothing but these fields. */
export function withFields<R extends Read>(fields: readonly NeededField[], read: R): R {
  return { ...read, fields };
}

/** The read of a check about this subject. */
export function readOf<R extends Read>(subject: CheckSubject | undefined, read: R): R {
  return subject === undefined ? read : { ...read, subject };
}

/** Restricts a read to one platform. */
export function onlyOn<R extends Read>(platform: Platform, read: R): R {
  return { ...read, only: platform };
}

/** The values of a list; empty if the API server does not serve the kind. */
export function valuesOf<T>(list: ListResult<T>): readonly T[] {
  return list.kind === "found" ? list.values : [];
}
