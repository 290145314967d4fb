import { findOwn } from "../../model/json.ts";

const SELECTOR =
  "spec.selector is required there (before, it followed from the labels of the template) and can't be changed later";
const ROLLING = "the default of spec.updateStrategy.type is RollingUpdate, and no longer OnDelete";
const WEBHOOKS =
  "sideEffects (None or NoneOnDryRun) and admissionReviewVersions are required there, names differ from each other, and failurePolicy, matchPolicy and timeoutSeconds have other defaults";
const SUBJECT = "apiGroup replaces apiVersion in subjects[]";

/**
 * What changes with the version that replaces a removed one, by kind, or by version and kind where it depends on the version that is left.
 * Source: Kubernetes' deprecation guide.
 */
const CHANGES: Readonly<Record<string, string>> = {
  CertificateSigningRequest:
    "spec.signerName (other than kubernetes.io/legacy-unknown) and spec.usages, without doubles, are required there",
  CustomResourceDefinition:
    "spec.versions replaces spec.version, each version has a structural schema in schema.openAPIV3Schema in place of spec.validation, and its own subresources and additionalPrinterColumns (jsonPath, not JSONPath), spec.scope is required, spec.preserveUnknownFields is false, and spec.conversion.webhook holds webhookClientConfig as clientConfig",
  EndpointSlice: "nodeName and zone replace the keys of endpoints[].topology",
  Event:
    "eventTime, action, reason, reportingController and reportingInstance are required there, type is Normal or Warning, and the fields that begin with deprecated must be absent",
  HorizontalPodAutoscaler:
    "the targets of spec.metrics[] are written as target.type with averageUtilization, averageValue or value",
  Ingress:
    "each path needs a pathType, service.name and service.port replace serviceName and servicePort, and spec.defaultBackend replaces spec.backend",
  LocalSubjectAccessReview: "spec.groups replaces spec.group",
  MutatingWebhookConfiguration: WEBHOOKS,
  PodDisruptionBudget: "an empty selector selects every pod of the namespace there, and no pod before",
  PriorityLevelConfiguration:
    "nominalConcurrencyShares replaces assuredConcurrencyShares, and 0 means 0 in v1, not the default of 30",
  ReplicaSet: SELECTOR,
  ResourceClaim: "the fields of a request stand below exactly there",
  ResourceClaimTemplate: "the fields of a request stand below exactly there",
  ResourceSlice: "what stands below basic of a device stands in the device itself there",
  StatefulSet: `${SELECTOR}, and ${ROLLING}`,
  SubjectAccessReview: "spec.groups replaces spec.group",
  ValidatingWebhookConfiguration: WEBHOOKS,
  "apps/v1beta1 Deployment": `${SELECTOR}, spec.rollbackTo is gone, and the default of spec.revisionHistoryLimit is 10, not 2`,
  "apps/v1beta2 DaemonSet": "spec.selector is required",
  "apps/v1beta2 Deployment": "spec.selector is required",
  "apps/v1beta2 ReplicaSet": "spec.selector is required",
  "apps/v1beta2 StatefulSet": "spec.selector is required",
  "extensions/v1beta1 DaemonSet": `${SELECTOR}, spec.templateGeneration is gone, and ${ROLLING}`,
  "extensions/v1beta1 Deployment": `${SELECTOR}, spec.rollbackTo is gone, and the defaults are 25% for maxSurge and maxUnavailable (not 1), 600 for progressDeadlineSeconds and 10 for revisionHistoryLimit (not without end)`,
  "rbac.authorization.k8s.io/v1alpha1 ClusterRoleBinding": SUBJECT,
  "rbac.authorization.k8s.io/v1alpha1 RoleBinding": SUBJECT,
};

/** Undefined where it is not known. */
export function findChanges(apiVersion: string, kind: string): string | undefined {
  return findOwn(CHANGES, `${apiVersion} ${kind}`) ?? findOwn(CHANGES, kind);
}
