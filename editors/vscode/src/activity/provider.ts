/** The tree itself: asks for what has changed, and only while the user looks. */
import * as vscode from "vscode";
import { diskFolders } from "../folders";
import type { Server } from "../server/server";
import type { Services } from "../services";
import { FolderMemory } from "./folder-memory";
import type { EventFilterSetting } from "./filter";
import { folderNode, groupNode } from "./group-nodes";
import { type ActivityNode, type Group, GROUPS, isA } from "./node";
import { KEEP_FOCUS } from "./open";

/** Many events in a row are shown at once. */
const PAUSE_MS = 150;
const OPEN_AT_FIRST: ReadonlySet<Group> = new Set<Group>(["workingSet", "tasks", "events"]);

/** What the tree needs of the services. */
export interface TreeServices extends Pick<Services, "requests" | "onDidChangeMemory"> {
  readonly server: Pick<Server, "state" | "onDidChangeState">;
}

export class ActivityProvider implements vscode.TreeDataProvider<ActivityNode>, vscode.Disposable {
  private readonly changed = new vscode.EventEmitter<ActivityNode | undefined>();
  private readonly drawn = new vscode.EventEmitter<void>();
  private readonly folders = new Map<string, FolderMemory>();
  private readonly groups = new Map<string, ActivityNode>();
  private readonly dirty = new Map<string, Set<Group>>();
  private readonly listening: vscode.Disposable;
  private loading: Promise<unknown> = Promise.resolve();
  private timer: NodeJS.Timeout | undefined;
  private visible = false;
  private shownEmpty = true;
  private asked = false;

  readonly onDidChangeTreeData = this.changed.event;
  /** The rows at the top are known again: whether there are any, and why not. */
  readonly onDidDraw = this.drawn.event;

  constructor(
    private readonly services: TreeServices,
    private readonly filter: Pick<EventFilterSetting, "types" | "onDidChange">,
  ) {
    this.syncFolders();
    this.listening = vscode.Disposable.from(
      services.onDidChangeMemory(({ rootUri, changed }) => {
        // What the server does to the working set follows from what is said and run.
        const follows = changed.includes("conversations") || changed.includes("events");
        this.touch(rootUri, GROUPS.filter((group) => changed.includes(group) || (group === "workingSet" && follows)));
      }),
      services.server.onDidChangeState(({ kind }) => {
        if (kind === "running") {
          this.touchAll(GROUPS);
        } else if (kind === "failed") {
          this.redraw();
        }
      }),
      vscode.workspace.onDidChangeWorkspaceFolders(() => {
        this.syncFolders();
        this.redraw();
      }),
      filter.onDidChange(() => {
        this.touchAll(["events"]);
      }),
    );
  }

  /** Nothing is there to be shown, as far as anybody knows. */
  get empty(): boolean {
    return this.shownEmpty;
  }

  /** Whether the rows at the top are known at all. */
  get known(): boolean {
    return this.asked;
  }

  memoryOf(rootUri: string): FolderMemory | undefined {
    return this.folders.get(rootUri);
  }

  get memories(): readonly FolderMemory[] {
    return [...this.folders.values()];
  }

  setVisible(visible: boolean): void {
    this.visible = visible;
    if (visible && this.dirty.size > 0) {
      this.schedule(0);
    }
  }

  /** These groups of a folder are no longer what they were. */
  touch(rootUri: string, groups: readonly Group[], pause = PAUSE_MS): void {
    const key = this.keyOf(rootUri);
    if (key === undefined || groups.length === 0) {
      return;
    }
    const known = this.dirty.get(key) ?? new Set<Group>();
    groups.forEach((group) => known.add(group));
    this.dirty.set(key, known);
    this.schedule(pause);
  }

  touchAll(groups: readonly Group[]): void {
    for (const rootUri of this.folders.keys()) {
      this.touch(rootUri, groups, 0);
    }
  }

  async showOlder(rootUri: string): Promise<void> {
    await this.memoryOf(rootUri)?.loadOlder();
    this.changed.fire(this.groupOf(rootUri, "events"));
  }

  async getChildren(node?: ActivityNode): Promise<ActivityNode[]> {
    if (node === undefined) {
      return [...(await this.roots())];
    }
    if (isA(node, "folder")) {
      return GROUPS.map((group) => this.groupOf(node.rootUri, group));
    }
    if (isA(node, "group")) {
      return [...(this.memoryOf(node.rootUri)?.nodes(node.subject.group, Date.now()) ?? [])];
    }
    return [...(node.children ?? [])];
  }

  getTreeItem(node: ActivityNode): vscode.TreeItem {
    return treeItem(isA(node, "group") ? this.lookOf(node.rootUri, node.subject.group) : node);
  }

  dispose(): void {
    clearTimeout(this.timer);
    this.listening.dispose();
    this.changed.dispose();
    this.drawn.dispose();
  }

  private async roots(): Promise<readonly ActivityNode[]> {
    const { server } = this.services;
    if (this.folders.size > 0 && server.state.kind !== "failed") {
      await this.freshen();
    }
    const failed = this.services.server.state.kind === "failed";
    this.shownEmpty = failed || this.memories.every(({ empty }) => empty);
    this.asked = true;
    this.drawn.fire();
    if (this.shownEmpty) {
      return [];
    }
    const [only, ...others] = this.memories;
    if (only !== undefined && others.length === 0) {
      return GROUPS.map((group) => this.groupOf(only.rootUri, group));
    }
    return diskFolders().map((folder, index) => folderNode(folder, index === 0));
  }

  private schedule(ms: number): void {
    if (!this.visible) {
      return;
    }
    this.timer ??= setTimeout(() => {
      this.timer = undefined;
      void this.refresh();
    }, ms);
  }

  private async refresh(): Promise<void> {
    const touched = await this.freshen();
    if (this.shownEmpty || this.memories.every(({ empty }) => empty)) {
      this.redraw();
      return;
    }
    for (const node of touched) {
      this.changed.fire(node);
    }
  }

  /**
   * Asks for all that has changed, one round after the other; answers with the groups that show something else now.
   * The others are not drawn again: a button pressed while its row is drawn does nothing.
   */
  private async freshen(): Promise<readonly ActivityNode[]> {
    const before = this.loading;
    const round = (async () => {
      await before;
      const wanted = [...this.dirty].flatMap(([rootUri, groups]) => [...groups].map((group) => ({ rootUri, group })));
      this.dirty.clear();
      const differs = await Promise.all(
        wanted.map(async ({ rootUri, group }) => (await this.memoryOf(rootUri)?.load(group)) === true),
      );
      return wanted.filter((_, index) => differs[index]).map(({ rootUri, group }) => this.groupOf(rootUri, group));
    })();
    this.loading = round;
    return round;
  }

  private redraw(): void {
    this.changed.fire(undefined);
  }

  /** The same object every time: that is how the view knows which row to draw again. */
  private groupOf(rootUri: string, group: Group): ActivityNode {
    const key = `${rootUri}|${group}`;
    const node = this.groups.get(key) ?? this.lookOf(rootUri, group);
    this.groups.set(key, node);
    return node;
  }

  private lookOf(rootUri: string, group: Group): ActivityNode {
    const memory = this.memoryOf(rootUri);
    return groupNode(rootUri, group, {
      count: memory?.count(group) ?? 0,
      more: group === "events" && memory?.hasMore === true,
      filtered: memory?.filtered === true,
      expanded: OPEN_AT_FIRST.has(group),
    });
  }

  private keyOf(rootUri: string): string | undefined {
    const path = vscode.Uri.parse(rootUri).fsPath;
    return [...this.folders.keys()].find((key) => key === rootUri || vscode.Uri.parse(key).fsPath === path);
  }

  private syncFolders(): void {
    const wanted = new Set(diskFolders().map(({ uri }) => uri.toString()));
    for (const rootUri of this.folders.keys()) {
      if (!wanted.has(rootUri)) {
        this.folders.delete(rootUri);
        this.dirty.delete(rootUri);
      }
    }
    for (const rootUri of wanted) {
      if (!this.folders.has(rootUri)) {
        this.folders.set(rootUri, new FolderMemory(this.services.requests, rootUri, () => this.filter.types));
        this.dirty.set(rootUri, new Set(GROUPS));
      }
    }
  }
}

function treeItem(node: ActivityNode): vscode.TreeItem {
  const item = new vscode.TreeItem(node.label, collapsible(node));
  item.id = node.id;
  item.contextValue = node.traits;
  item.description = node.description ?? "";
  if (node.icon !== undefined) {
    item.iconPath = node.icon;
  }
  if (node.resource !== undefined) {
    item.resourceUri = node.resource;
  }
  if (node.tooltip !== undefined) {
    item.tooltip = node.tooltip;
  }
  if (node.spoken !== undefined) {
    item.accessibilityInformation = { label: node.spoken };
  }
  const command = commandFor(node);
  if (command !== undefined) {
    item.command = { command, title: vscode.l10n.t("Open"), arguments: [node, KEEP_FOCUS] };
  }
  return item;
}

function commandFor({ subject, traits }: ActivityNode): string | undefined {
  switch (subject.type) {
    case "more":
      return "contextls.activity.more";
    case "pin":
    case "file":
    case "manifest":
    case "event":
      return "contextls.activity.open";
    case "excluded":
      return traits.includes("file") ? "contextls.activity.open" : undefined;
    case "task":
    case "pattern":
    case "group":
    case "folder":
    case "section":
    case "serverEntry":
    case "message":
      return undefined;
  }
}

function collapsible({ subject, children, expanded }: ActivityNode): vscode.TreeItemCollapsibleState {
  const { Collapsed, Expanded, None } = vscode.TreeItemCollapsibleState;
  if (subject.type !== "group" && subject.type !== "folder" && (children ?? []).length === 0) {
    return None;
  }
  return expanded === true ? Expanded : Collapsed;
}
