// Prints the folder with the Node of a platform: `node node-folder.ts x64|arm64`
import { provideNode } from "./node-binary.ts";
import { PLATFORMS } from "./platform.ts";

const platform = PLATFORMS.find(({ node }) => node.cpu === process.argv[2]);
if (platform === undefined) throw new Error("name x64 or arm64");
process.stdout.write(`${await provideNode(platform)}\n`);
