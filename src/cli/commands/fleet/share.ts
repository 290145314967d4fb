import { UsageError } from "../../../model/errors.ts";

/** A part of the clusters: every `count`th of them, from the `index`th on. */
export type Share = { readonly index: number; readonly count: number };

export function parseShare(text: string | undefined): Share | undefined {
  if (text === undefined) return undefined;
  const [, index, count] = /^(\d{1,6})\/(\d{1,6})$/.exec(text) ?? [];
  const share = { index: Number(index), count: Number(count) };
  if (share.index < share.count) return share;
  throw new UsageError(
    `--share "${text}" is not INDEX/COUNT with an INDEX from 0 to COUNT - 1: use a form such as 3/10`,
  );
}

/** `position`: of the cluster among all, which are in the order of their names. */
export function isInShare(position: number, { index, count }: Share): boolean {
  return position % count === index;
}
