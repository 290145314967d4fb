/** A SARIF message. Consumers make a link of "[text](address)", which a text of the cluster must not become. */
export function buildSarifMessage(text: string): { readonly text: string } {
  return { text: text.replaceAll("](", "] (") };
}
