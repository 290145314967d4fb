import { type JsonObject, listAt, textAt } from "../../model/json.ts";
import { sortNames } from "../../model/names.ts";
import { type Get, get } from "../../model/read.ts";
import { parseTimestamp } from "../../model/time.ts";
import { buildNamesNotice } from "../shared/notices.ts";

/** The bundle of the CAs that kubelets use to verify the API server. The platform rotates all of them. */
const BUNDLE = "KubeAPIServerServingCAData";
/** An update with all its nodes takes hours. */
const UPDATE_MS = 24 * 60 * 60_000;

/** An authority, without the time of its rotation; `notAfter` is that of its newest certificate. */
export type Authority = { readonly name: string; readonly notAfter: number };

export function buildCertificatesRead(): Get<readonly Authority[]> {
  return get("machineconfiguration.openshift.io/v1/controllerconfigs", "machine-config-controller", keepAuthorities);
}

/** "CN=openshift-kube-apiserver-operator_kube-apiserver-to-kubelet-signer@1767225600" replaces "CN=kube-apiserver-to-kubelet-signer". */
export function keepAuthorities(controllerConfig: JsonObject): readonly Authority[] {
  const certificates = listAt(controllerConfig, "status", "controllerCertificates").flatMap((certificate) => {
    const notAfter = parseTimestamp(textAt(certificate, "notAfter"));
    const name = /^CN=(?:[^,_]*_)?([^,@]+)/.exec(textAt(certificate, "subject") ?? "")?.[1];
    if (textAt(certificate, "bundleFile") !== BUNDLE || notAfter === undefined || name === undefined) return [];
    return [{ name, notAfter }];
  });
  const groups = Map.groupBy(certificates, ({ name }) => name);
  return [...groups].map(([name, group]) => ({ name, notAfter: Math.max(...group.map((one) => one.notAfter)) }));
}

export function buildCertificateNotices(authorities: readonly Authority[], now: Date): readonly string[] {
  const ending = authorities.filter(({ notAfter }) => notAfter - now.getTime() < UPDATE_MS);
  return buildNamesNotice(
    sortNames(ending.map(({ name }) => name)),
    (names) =>
      `The CAs that kubelets use to verify the API server have expired or expire within a day: ${names}. ControllerConfig machine-config-controller has no newer ones. Update once "oc get controllerconfig machine-config-controller -o yaml" shows later times. "oc get clusteroperator kube-apiserver machine-config" may say why they are not renewed.`,
  );
}
