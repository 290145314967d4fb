import { type Json, isList, isObject, objectAt, textAt } from "../../model/json.ts";

/** What Helm and other Go templates, Jinja, and Flux's variables leave in a text that was not rendered. */
const TEMPLATE = /\{\{/;
const VARIABLE = /\$\{[A-Za-z_]\w*(?:[:=}/#%^,?+-]|\[)/;
/** What only Helm's templates have: other braces are also written for those who read them in the cluster, such as alerts. */
const HELM =
  /\{\{-?\s*(?:\$?\.(?:Values|Release|Chart|Capabilities|Template|Files)\b|(?:include|template|tpl|toYaml|define)\b)/;

/** Whether a value stands for another one, or has such a value in it: nothing is known of what will be there. */
export function hasPlaceholder(value: Json): boolean {
  if (typeof value === "string") return TEMPLATE.test(value) || VARIABLE.test(value);
  if (isList(value)) return value.some(hasPlaceholder);
  return isObject(value) && Object.values(value).some(hasPlaceholder);
}

/** How an object that was not rendered is: without its own kind or name nothing can be said of it. Undefined if it is rendered. */
export function describeUnrendered(object: Json): string | undefined {
  const metadata = objectAt(object, "metadata");
  const names = ["name", "namespace", "generateName"].map((key) => metadata[key] ?? null);
  const identity = [textAt(object, "apiVersion") ?? null, textAt(object, "kind") ?? null, ...names];
  return identity.some(hasPlaceholder) ? describePlaceholders(JSON.stringify(identity)) : undefined;
}

/** How a text has to be rendered that is not YAML; undefined if it is no template. */
export function describePlaceholders(text: string): string | undefined {
  if (HELM.test(text))
    return 'it is a template of Helm that was not rendered: give the output of "helm template" for its chart';
  if (TEMPLATE.test(text))
    return "it is a template with {{ }} that was not rendered: render it, and give what comes out";
  return VARIABLE.test(text)
    ? 'it has variables ${NAME} that were not replaced: for Flux\'s, give the output of "flux build kustomization"'
    : undefined;
}
