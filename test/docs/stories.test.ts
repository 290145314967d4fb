import assert from "node:assert/strict";
import { test } from "node:test";
import { checkStory, readStory, withDone, type StoryState } from "../../tools/pages/stories.ts";
import { STORIES } from "../../tools/pages/story-list.ts";

async function findRisks(state: StoryState): Promise<readonly string[]> {
  const { risks }: { readonly risks: readonly { readonly name: string }[] } = JSON.parse(
    await checkStory(state, ["-o", "json"]),
  );
  return risks.map(({ name }) => name);
}

for (const [name, story] of Object.entries(STORIES))
  test(`what was done in the story of ${name} removes its risk and brings no other`, async () => {
    const state = readStory(story);
    const before = await findRisks(state);
    assert.ok(before.includes(story.risk), before.join());
    assert.deepEqual(
      await findRisks(withDone(state, story)),
      before.filter((risk) => risk !== story.risk),
    );
  });
