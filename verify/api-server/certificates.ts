import { execFileSync, spawnSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

export const noOpenssl =
  spawnSync("openssl", ["version"]).status === 0 ? false : "there is no openssl to make certificates with";

export type KeyPair = {
  readonly cert: string;
  readonly key: string;
  readonly certFile: string;
  readonly keyFile: string;
};
export type CertificateAuthority = {
  readonly ca: KeyPair;
  readonly issue: (name: string, altName?: string, days?: number) => KeyPair;
};

/** A certificate authority for one test, with its files in `dir`. */
export function createAuthority(dir: string): CertificateAuthority {
  const run = (...args: readonly string[]): Buffer => execFileSync("openssl", args, { cwd: dir, stdio: "pipe" });
  const newKey = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes"];
  const pair = (name: string): KeyPair => {
    const certFile = join(dir, `${name}.crt`);
    const keyFile = join(dir, `${name}.key`);
    return { certFile, keyFile, cert: readFileSync(certFile, "utf8"), key: readFileSync(keyFile, "utf8") };
  };
  run("req", "-x509", ...newKey, "-keyout", "ca.key", "-out", "ca.crt", "-subj", "/CN=test-ca", "-days", "2");
  const issue = (name: string, altName = "IP:127.0.0.1", days = 2): KeyPair => {
    run("req", ...newKey, "-keyout", `${name}.key`, "-out", `${name}.csr`, "-subj", `/CN=${name}`);
    writeFileSync(join(dir, `${name}.ext`), `subjectAltName=${altName}\n`);
    const signed = ["-CA", "ca.crt", "-CAkey", "ca.key", "-CAcreateserial", "-extfile", `${name}.ext`];
    run("x509", "-req", "-in", `${name}.csr`, "-out", `${name}.crt`, "-days", `${days}`, ...signed);
    return pair(name);
  };
  return { ca: pair("ca"), issue };
}
