/** Whether a reference such as "Widget shop/a" is what somebody means by "shop/a", "a" or "widget shop/a". */
export function isNamed(ref: string, given: string): boolean {
  const whole = ref.toLowerCase();
  const wanted = given.toLowerCase();
  return whole === wanted || whole.endsWith(` ${wanted}`) || whole.endsWith(`/${wanted}`);
}
