import { type JsonObject, textAt } from "../../model/json.ts";

/** What the disruption controller's failure is about: a pod by its name, or a controller's resource, such as jobs of batch. */
type FailureSubject =
  | { readonly kind: "pod"; readonly name: string }
  | { readonly kind: "resource"; readonly plural: string; readonly group: string };

/** Undefined for other failures, such as an API that is not served. */
export function parseFailureSubject(message: string): FailureSubject | undefined {
  const name = /^found no controllers for pod "(.*)"$/.exec(message)?.[1];
  if (name !== undefined) return { kind: "pod", name };
  const [, plural, group = ""] = /^([^. ]+)\.?(\S*) does not implement the scale/.exec(message) ?? [];
  return plural === undefined ? undefined : { kind: "resource", plural, group };
}

/** Whether the failure is about this pod and its controller. */
export function isFailureOfPod(message: string, pod: JsonObject, controller: JsonObject | undefined): boolean {
  const subject = parseFailureSubject(message);
  if (subject === undefined || controller === undefined) return false;
  if (subject.kind === "pod") return subject.name === textAt(pod, "metadata", "name");
  const kind = (textAt(controller, "kind") ?? "").toLowerCase();
  const group = /^(.*)\//.exec(textAt(controller, "apiVersion") ?? "")?.[1] ?? "";
  return subject.group === group && subject.plural.startsWith(kind.replace(/y$/, ""));
}
