import { toLine } from "../../model/visible-text.ts";

/** Only what every terminal and browser takes as one address. */
const ADDRESS = /^https:\/\/[!-~]{1,2000}$/;

/** A text that opens an address when it is clicked (OSC 8); the text alone if links are off or the address is unusual. */
export function formatHyperlink(text: string, address: string, links: boolean): string {
  const plain = toLine(text);
  return links && ADDRESS.test(address) ? `\u001b]8;;${address}\u001b\\${plain}\u001b]8;;\u001b\\` : plain;
}
