/** Something to do, to tick off. */
export function formatTask(text: string): string {
  return `- [ ] ${text}`;
}
