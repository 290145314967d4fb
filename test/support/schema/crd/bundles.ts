import type { Random } from "../../../../verify/schema/random/random.ts";
import { choice } from "../../../../verify/schema/definition/choice.ts";

const BEGIN = "-----BEGIN CERTIFICATE-----";
const END = "-----END CERTIFICATE-----";

/** A caBundle as a definition holds it, made of one or two of the certificates and changed in one place. */
export function createBundle(certificates: readonly string[], random: Random): string {
  const one = choice(random, certificates).trim();
  const two = choice(random, certificates).trim();
  const text = choice<() => string>(random, [
    () => one,
    () => `${one}\n${two}\n`,
    () => `some text\n\n${one}\nmore text`,
    () => `${one}\n${two.slice(0, -30)}`,
    () => one.replace(BEGIN, "-----BEGIN TRUSTED CERTIFICATE-----"),
    () => one.replaceAll("CERTIFICATE", "PRIVATE KEY"),
    () => `${one.replaceAll("CERTIFICATE", "PRIVATE KEY")}\n${two}`,
    () => one.replace(BEGIN, `${BEGIN}\nName: value\n`),
    () => `${one.replace(BEGIN, `${BEGIN}\nName: value\n`)}\n${two}`,
    () => one.replace(END, "-----END CERTIFICATE"),
    () => one.replace(END, `${END}text`),
    () => `text${one}`,
    () => one.replace(BEGIN, `${BEGIN}  `),
    () => one.replace(END, `${END}  `),
    () => one.replaceAll("\n", "\r\n"),
    () => one.replaceAll("\n", " "),
    () => one.replace("A", "*"),
    () => one.replaceAll("=", ""),
    () => wrap(Buffer.concat([decode(one), decode(two)])),
    () => wrap(Buffer.concat([decode(one), Buffer.from([random.below(256)])])),
    () => wrap(decode(one).subarray(0, random.below(decode(one).length))),
    () => "",
    () => "text",
  ])();
  return Buffer.from(text).toString("base64");
}

function decode(certificate: string): Buffer {
  return Buffer.from(certificate.replaceAll(/-----[^-]*-----|\s/g, ""), "base64");
}

function wrap(der: Buffer): string {
  const lines = der.toString("base64").match(/.{1,64}/g) ?? [];
  return [BEGIN, ...lines, END, ""].join("\n");
}
