import { UsageError } from "../../model/errors.ts";
import { CHECKS_LABEL } from "../../release/payload/check-texts.ts";

/** A namespace whose ConfigMaps with the label of checks an administrator trusts; `selector`: only those with these labels, too. */
export type TrustedNamespace = { readonly namespace: string; readonly selector?: string };

const WORD = "configmaps=";
const NAMESPACE = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/;
const REQUIREMENT = /^(?:[a-z0-9.-]+\/)?[A-Za-z0-9][\w.-]*!?=[\w.-]*$/;

/** Those that --checks-from names. Throws a UsageError if it is wrong. */
export function parseTrustedNamespaces(sources: readonly string[]): readonly TrustedNamespace[] {
  const trusted = sources.filter((source) => source.startsWith(WORD)).map(parseTrusted);
  const repeated = trusted.find(({ namespace }, i) => trusted.findIndex((one) => one.namespace === namespace) < i);
  if (repeated !== undefined) throw new UsageError(`--checks-from names the namespace ${repeated.namespace} twice`);
  return trusted;
}

function parseTrusted(source: string): TrustedNamespace {
  const [, namespace = "", selector] = /^([^/]*)(?:\/(.*))?$/s.exec(source.slice(WORD.length)) ?? [];
  const isSelector = selector === undefined || selector.split(",").every((one) => REQUIREMENT.test(one));
  if (!NAMESPACE.test(namespace) || !isSelector)
    throw new UsageError(
      `--checks-from "${source}" is not ${WORD}NAMESPACE or ${WORD}NAMESPACE/KEY=VALUE, of labels that the ConfigMaps have besides ${CHECKS_LABEL}`,
    );
  return selector === undefined ? { namespace } : { namespace, selector };
}
