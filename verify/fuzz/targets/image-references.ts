import assert from "node:assert/strict";
import { parseObject } from "../../../src/model/json.ts";
import { MIRROR_KINDS, parseMirror, parseMirrorSet, selectCandidates } from "../../../src/release/image/mirrors.ts";
import {
  formatRegistryReference,
  parseImageReference,
  parseRegistryReference,
} from "../../../src/release/image/reference.ts";
import { unlessRefused } from "../refusals.ts";
import { joinTexts, splitTexts, type FuzzTarget } from "../target.ts";

const SET = {
  spec: {
    imageDigestMirrors: [
      { source: "quay.io/org", mirrors: ["mirror.example.com:5000/org"], mirrorSourcePolicy: "NeverContactSource" },
      { source: "*.example.com", mirrors: ["m/x"] },
    ],
    imageTagMirrors: [{ source: "quay.io", mirrors: ["[::1]:5000"] }],
    repositoryDigestMirrors: [{ source: "quay.io/org/a", mirrors: ["localhost:5000/a"] }],
  },
};

/** A reference is the same once written and read again, and every host of it is one of a URL. */
export const target: FuzzTarget = {
  seeds: [
    `quay.io/org/a@sha256:${"a".repeat(64)}`,
    "docker://a.example.com:5000/org/a_b--c.d:4.19.3-x86_64",
    "oci:folder:name",
    "oci-archive:/a/b.tar",
    "docker-archive:a:b:c",
    `localhost/a:t@sha512:${"0".repeat(128)}`,
  ].map((reference) => joinTexts(reference, "quay.io/org=mirror.example.com:5000/b", JSON.stringify(SET))),
  run: async (input) => {
    const [text = "", mirrorText = "", setText = ""] = splitTexts(input);
    const reference = parseImageReference(text);
    if (reference.kind !== "registry") return;
    const given = (await unlessRefused(() => parseMirror(mirrorText))) ?? [];
    const mirrors = MIRROR_KINDS.flatMap((kind) => parseMirrorSet(parseObject(setText) ?? {}, kind));
    for (const candidate of selectCandidates(reference, mirrors.concat(given))) {
      const written = formatRegistryReference(candidate);
      assert.equal(formatRegistryReference(parseRegistryReference(written)), written);
      assert.ok(URL.canParse(`https://${candidate.host}/v2/${candidate.repository}/`), candidate.host);
    }
  },
};
