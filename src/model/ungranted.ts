import type { Unknown } from "./check.ts";

/** Ends the message of a refusal that the rights which "preflight rbac" prints don't remove. */
const UNGRANTED = '"preflight rbac" grants lists of the target\'s own kinds alone';

export function formatUngranted(message: string): string {
  return `${message}; ${UNGRANTED}`;
}

export function isUngranted({ reason, message }: Pick<Unknown, "reason" | "message">): boolean {
  return reason === "Forbidden" && message.endsWith(UNGRANTED);
}
