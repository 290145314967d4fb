const CHANNEL_NAME = /^[a-z0-9](?:[a-z0-9._-]*[a-z0-9])?$/i;

/** The names that can be those of channels. They come from outside and end in commands to copy, so nothing else gets past. */
export function selectChannelNames(names: readonly string[]): readonly string[] {
  return names.filter((name) => CHANNEL_NAME.test(name));
}
