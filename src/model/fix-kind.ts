import { FIX_KINDS, type CommandForm, type FixKind } from "./commands.ts";

/** Kinds that protect or limit others: whatever changes one of them may take that away. */
const PROTECTIONS =
  /^(?:PodDisruptionBudget|LimitRange|(?:Cluster)?ResourceQuota|SecurityContextConstraints|(?:Cluster)?Role(?:Binding)?|CertificateSigningRequest|OAuth|EgressFirewall|ServiceAccount|User|Group|Identity|\w*(?:Authentication|Policy|PolicyBinding|WebhookConfiguration))$/;

/** Fields, labels and annotations that protect, wherever they are in an object. */
const PROTECTING =
  /^(?:securityContext|seccompProfile|appArmorProfile|seLinux\w*|capabilities|privileged|procMount|sysctls|readOnlyRootFilesystem|allow[A-Z]\w*|automountServiceAccountToken|host(?:Network|PID|IPC|Users|Path|Port)|runAs\w+|insecure\w*|\w*skip[A-Z]?\w*|failurePolicy|tlsSecurityProfile|audit|encryption|signatureStores|overrides|unsupportedConfigOverrides|finalizers|(?:pod-security\.kubernetes\.io|security\.openshift\.io)\/.+|openshift\.io\/(?:scc|sa\.scc)\b.*)$/i;

/**
 * What a command does at worst, by its verb, the kind of its object, and all keys of what it writes. Controllers act on any label and any
 * annotation, so nothing that writes is known to be safe.
 */
export function judgeHarm(verb: CommandForm["kind"], kind: string, keys: readonly string[]): FixKind {
  if (verb === "get" || verb === "describe") return "safe";
  return PROTECTIONS.test(kind) || keys.some((key) => PROTECTING.test(key)) ? "weakening" : "disruptive";
}

/** FIX_KINDS has them by their harm. */
export function pickWorst(kinds: readonly FixKind[]): FixKind {
  return FIX_KINDS.findLast((kind) => kinds.includes(kind)) ?? "safe";
}
