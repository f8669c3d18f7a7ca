import * as assert from "node:assert/strict";
import { FolderMemory, PAGE } from "../src/activity/folder-memory";
import { rootUri, TestServer } from "./activity-support";

describe("the memory of a folder", () => {
  let server: TestServer;
  before(async () => {
    server = await TestServer.start();
  });
  after(() => {
    server.dispose();
  });

  it("keeps older events that arrive while the newest are asked for again", async () => {
    for (let index = 0; index < PAGE + 10; index += 1) {
      await server.requests.record({ type: "aged", content: { index }, rootUri: rootUri() });
    }
    const memory = new FolderMemory(server.requests, rootUri(), () => ["aged"]);
    await memory.load("events");
    await Promise.all([memory.loadOlder(), ...Array.from({ length: 5 }, () => memory.load("events"))]);
    assert.equal(memory.count("events"), PAGE + 10);
  });
});
