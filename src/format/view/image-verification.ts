import type { ImageVerification } from "../../model/release.ts";

/** What is known of an image's signature, in the words beside the image. Why it isn't trusted stands with the check that says so. */
export function formatVerification({ status, message }: ImageVerification): string {
  switch (status) {
    case "Verified":
      return message;
    case "Untrusted":
      return "not signed by a key that this cluster trusts";
    case "Unknown":
      return "could not be verified";
  }
}
