import { strict as assert } from "node:assert";
import { test } from "node:test";
import { holdsCertificate } from "../../../../src/schema/crd/definition/certificates.ts";

/** An element of DER, as hexadecimal digits. */
function der(tag: number, ...parts: readonly string[]): string {
  const content = parts.join("");
  const length = content.length / 2;
  const sizes = length < 0x80 ? [length] : length < 0x100 ? [0x81, length] : [0x82, length >> 8, length & 0xff];
  return Buffer.from([tag, ...sizes]).toString("hex") + content;
}

const ascii = (text: string): string => Buffer.from(text, "latin1").toString("hex");
const sequence = (...parts: readonly string[]): string => der(0x30, ...parts);
const id = (digits: string): string => der(6, digits);
const integer = (digits: string): string => der(2, digits);
const bits = (digits: string): string => der(3, digits);
const names = (value: string): string => sequence(der(0x31, sequence(id("550403"), value)));
const times = (tag: number, first: string, last = first): string =>
  sequence(der(tag, ascii(first)), der(tag, ascii(last)));
const extension = (...parts: readonly string[]): string => sequence(id("551d13"), ...parts);
const extensions = (...each: readonly string[]): string => der(0xa3, sequence(...each));

const ECDSA = sequence(id("2a8648ce3d040302"));
const ELLIPTIC = "2a8648ce3d0201";
const P256 = "2a8648ce3d030107";
const curveKey = (curve: string, point: string): string => sequence(sequence(id(ELLIPTIC), id(curve)), bits(point));
const point = (length: number, mark = "04"): string => `00${mark}${"11".repeat(length - 1)}`;
const rsaKey = (parameters: string, ...numbers: readonly string[]): string =>
  sequence(sequence(id("2a864886f70d010101"), parameters), bits(`00${sequence(...numbers)}`));
const NULL = "0500";

const PARTS = {
  version: der(0xa0, integer("02")),
  serial: integer("01"),
  algorithm: ECDSA,
  issuer: names(der(0x0c, ascii("a"))),
  validity: times(0x17, "240229235959Z"),
  subject: names(der(0x13, ascii("b"))),
  key: curveKey(P256, point(65)),
  more: "",
  outer: ECDSA,
  signature: bits("00aa"),
  end: "",
  after: "",
};

type Parts = Readonly<Record<keyof typeof PARTS, string>>;

function build(changes: Partial<Parts>): string {
  const parts: Parts = { ...PARTS, ...changes };
  const { version, serial, algorithm, issuer, validity, subject, key, more } = parts;
  const signed = sequence(version, serial, algorithm, issuer, validity, subject, key, more);
  return sequence(signed, parts.outer, parts.signature, parts.end) + parts.after;
}

function writePem(hex: string): string {
  return `-----BEGIN CERTIFICATE-----\n${Buffer.from(hex, "hex").toString("base64")}\n-----END CERTIFICATE-----\n`;
}

const holds = (pem: string): boolean => holdsCertificate(Buffer.from(pem, "latin1").toString("base64"));

const ROWS: readonly (readonly [what: string, changes: Partial<Parts>, holds: boolean])[] = [
  ["nothing else", {}, true],
  ["bytes after the end", { after: "00" }, false],
  ["another element at the end", { end: NULL }, true],
  ["no version", { version: "" }, true],
  ["version 1", { version: der(0xa0, integer("00")) }, true],
  ["version 2", { version: der(0xa0, integer("01")) }, true],
  ["version 4", { version: der(0xa0, integer("03")) }, false],
  ["a version of two bytes", { version: der(0xa0, integer("0001")) }, false],
  ["a version that is no integer", { version: der(0xa0, NULL) }, false],
  ["a serial number of 0", { serial: integer("00") }, true],
  ["a negative serial number", { serial: integer("80") }, false],
  ["a serial number of two bytes", { serial: integer("0080") }, true],
  ["a serial number with a byte more than it needs", { serial: integer("007f") }, false],
  ["an empty serial number", { serial: integer("") }, false],
  ["no serial number", { serial: "" }, false],
  ["no algorithm", { algorithm: "" }, false],
  ["another algorithm outside", { outer: sequence(id("2a8648ce3d040303")) }, false],
  ["no algorithm outside", { outer: "" }, false],
  ["a signature of part of a byte", { signature: bits("04a0") }, true],
  ["a signature whose unused bits are set", { signature: bits("04a8") }, false],
  ["a signature with eight unused bits", { signature: bits("0800") }, false],
  ["an empty signature", { signature: bits("00") }, true],
  ["an empty signature with unused bits", { signature: bits("01") }, false],
  ["a signature without a first byte", { signature: bits("") }, false],
  ["a signature that is no bits", { signature: der(4, "00aa") }, false],
  ["an issuer without a name", { issuer: sequence() }, true],
  ["no issuer", { issuer: "" }, false],
  ["an issuer of another kind of text", { issuer: names(der(0x0d, ascii("a"))) }, false],
  ["an issuer that is no sequence of sets", { issuer: sequence(sequence(id("550403"), der(0x0c, ascii("a")))) }, false],
  ["an issuer's name without an id", { issuer: sequence(der(0x31, sequence(der(0x0c, ascii("a"))))) }, false],
  ["a subject of another kind of text", { subject: names(der(2, ascii("a"))) }, false],
  ["a subject of a set that is empty", { subject: sequence(der(0x31)) }, true],
  ["a subject of no sequences", { subject: sequence(der(0x31, NULL)) }, false],
  ...[0x0c, 0x12, 0x13, 0x14, 0x16, 0x1e].map(
    (tag) => [`a subject with text of the tag ${tag}`, { subject: names(der(tag, "61")) }, true] as const,
  ),
  [
    "two names of which one is wrong",
    { subject: sequence(der(0x31, sequence(id("550403"), der(0x0c, "61")), NULL)) },
    false,
  ],
  ["times with four digits of the year", { validity: times(0x18, "20240229235959Z") }, true],
  ["times with four digits and the tag of two", { validity: times(0x17, "20240229235959Z") }, false],
  ["times with two digits and the tag of four", { validity: times(0x18, "240229235959Z") }, false],
  ["times without seconds", { validity: times(0x17, "2402292359Z") }, true],
  ["times with four digits and without seconds", { validity: times(0x18, "202402292359Z") }, false],
  ["times with an offset", { validity: times(0x17, "2402292359+0100") }, true],
  ["times of another tag", { validity: times(0x16, "240229235959Z") }, false],
  ["one time", { validity: sequence(der(0x17, ascii("240229235959Z"))) }, false],
  ["no times", { validity: "" }, false],
  ...["2400", "2413", "2401"].map(
    (start) =>
      [`times that begin with ${start}`, { validity: times(0x17, `${start}01000000Z`) }, start === "2401"] as const,
  ),
  ...["2412", "2409", "2410"].map(
    (start) => [`times that begin with ${start}`, { validity: times(0x17, `${start}31195900Z`) }, true] as const,
  ),
  ["the day 0", { validity: times(0x17, "240100000000Z") }, false],
  ["the day 32", { validity: times(0x17, "240132000000Z") }, false],
  ["the day 29", { validity: times(0x17, "240129000000Z") }, true],
  ["the day 30", { validity: times(0x17, "240130000000Z") }, true],
  ["the hour 24", { validity: times(0x17, "240101240000Z") }, false],
  ["the hour 20", { validity: times(0x17, "240101200000Z") }, true],
  ["the minute 60", { validity: times(0x17, "240101006000Z") }, false],
  ["the second 60", { validity: times(0x17, "240101000060Z") }, false],
  ["text after a time", { validity: times(0x17, "240101000000Zx") }, false],
  ["text in place of a year", { validity: times(0x17, "xx0101000000Z") }, false],
  ["a last time that is none", { validity: times(0x17, "240101000000Z", "x") }, false],
  ["no key", { key: "" }, false],
  ["a point of the curve P-224", { key: curveKey("2b81040021", point(57)) }, true],
  ["a point of the curve P-384", { key: curveKey("2b81040022", point(97)) }, true],
  ["a point of the curve P-521", { key: curveKey("2b81040023", point(133)) }, true],
  ["a point of another curve", { key: curveKey("2b81040024", point(65)) }, false],
  ["a point that is too short", { key: curveKey(P256, point(64)) }, false],
  ["a point that is compressed", { key: curveKey(P256, point(65, "02")) }, false],
  ["a key of no curve", { key: sequence(sequence(id(ELLIPTIC)), bits(point(65))) }, false],
  ["an RSA key", { key: rsaKey(NULL, integer("11"), integer("03")) }, true],
  ["an RSA key without parameters", { key: rsaKey("", integer("11"), integer("03")) }, false],
  ["an RSA key with parameters", { key: rsaKey("050100", integer("11"), integer("03")) }, false],
  ["an RSA key with a number that is 0", { key: rsaKey(NULL, integer("00"), integer("03")) }, false],
  ["an RSA key with a negative number", { key: rsaKey(NULL, integer("11"), integer("83")) }, false],
  ["an RSA key with a large number", { key: rsaKey(NULL, integer("0080"), integer("03")) }, true],
  ["an RSA key with one number", { key: rsaKey(NULL, integer("11")) }, false],
  ["a key of another algorithm", { key: sequence(sequence(id("2b6570")), bits("0011")) }, true],
  ["a key without an algorithm's id", { key: sequence(sequence(), bits("0011")) }, false],
  ["a key without bits", { key: sequence(sequence(id("2b6570"))) }, false],
  ["a key of empty bits", { key: sequence(sequence(id("2b6570")), bits("")) }, false],
  ["ids of issuer and subject", { more: der(0x81, "00aa") + der(0x82, "00aa") }, true],
  ["an extension", { more: extensions(extension(der(4, "00"))) }, true],
  ["an extension after ids", { more: der(0x81, "00") + der(0x82, "00") + extensions(extension(NULL)) }, false],
  ["a wrong extension after ids in version 1", { version: "", more: extensions(extension(NULL)) }, true],
  ["a wrong extension in version 2", { version: der(0xa0, integer("01")), more: extensions(extension(NULL)) }, true],
  ["no extension", { more: extensions() }, true],
  ["extensions that are no sequence", { more: der(0xa3, NULL) }, false],
  ["a critical extension", { more: extensions(extension(der(1, "ff"), der(4, "00"))) }, true],
  ["an extension that is not critical", { more: extensions(extension(der(1, "00"), der(4, "00"))) }, true],
  ["an extension that is half critical", { more: extensions(extension(der(1, "01"), der(4, "00"))) }, false],
  ["an extension that is critical twice", { more: extensions(extension(der(1, "ffff"), der(4, "00"))) }, false],
  ["an extension without a value", { more: extensions(extension()) }, false],
  ["an extension without an id", { more: extensions(sequence(der(4, "00"))) }, false],
  ["the same extension twice", { more: extensions(extension(der(4, "00")), extension(der(4, "00"))) }, false],
  ["two extensions", { more: extensions(extension(der(4, "00")), sequence(id("551d14"), der(4, "00"))) }, true],
  ["a length with a byte more than it needs", { signature: "03810200aa" }, false],
  ["a length of two bytes that needs one", { signature: `03820080${"00".repeat(128)}` }, false],
  ["a length of one byte", { signature: `038180${"00".repeat(128)}` }, true],
  ["a length of two bytes", { signature: `03820100${"00".repeat(256)}` }, true],
  ["a length beyond the end", { signature: "030300aa" }, false],
  ["a length of no bytes", { signature: "0380" }, false],
  ["a length of five bytes", { signature: "0385000000000200aa" }, false],
  ["a length that is cut off", { signature: "0382" }, false],
  ["a long tag", { issuer: names("1f0161") }, false],
];

test("a certificate is one whose parts Go can parse", () => {
  const wrong = ROWS.filter(([, changes, expected]) => holds(writePem(build(changes))) !== expected);
  assert.deepEqual(wrong, []);
});

const PEM = writePem(build({}));
const BLOCKS: readonly (readonly [what: string, text: string, holds: boolean])[] = [
  ["a block", PEM, true],
  ["a block after a line", `text\n${PEM}`, true],
  ["a block after text in its line", `text${PEM}`, false],
  ["a block with spaces after its labels", PEM.replaceAll("E-----", "E----- \t\r"), true],
  ["a block with text after its first label", PEM.replace("E-----\n", "E-----x\n"), false],
  ["a block with text after its last label", PEM.replace(/E-----\n$/, "E-----x\n"), false],
  ["a block without a last line end", PEM.trimEnd(), true],
  ["a block of another type", PEM.replaceAll("CERTIFICATE", "KEY"), false],
  ["a block whose last label is of another type", PEM.replace(/CERTIFICATE-----\n$/, "KEY-----\n"), false],
  ["a block without an end", PEM.replace(/\n-----END.*/s, "\n"), false],
  ["a block without a beginning", PEM.replace(/^.*\n/, ""), false],
  ["a block in lines", PEM.replaceAll(/.{64}/g, "$&\r\n"), true],
  ["a block with spaces within", PEM.replace("\nMI", "\nM \tI"), true],
  ["a block with another character", PEM.replace("\nMI", "\nM*I"), false],
  ["a block that begins twice", `-----BEGIN CERTIFICATE-----\nMI\n${PEM}`, true],
  ["a block with a header", PEM.replace("E-----\n", "E-----\na: b\n\n"), false],
  ["a malformed block before another one", `${PEM.replace("\nMI", "\nM*I")}${PEM}`, true],
  ["a malformed block after another one", `${PEM}${PEM.replace("\nMI", "\nM*I")}`, true],
  ["an empty block", "-----BEGIN CERTIFICATE-----\n-----END CERTIFICATE-----\n", false],
  ["nothing", "", false],
];

test("a block of PEM is read as Go reads it", () => {
  const wrong = BLOCKS.filter(([, text, expected]) => holds(text) !== expected);
  assert.deepEqual(wrong, []);
});
