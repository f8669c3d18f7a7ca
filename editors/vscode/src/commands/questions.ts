/** The questions that were asked in this workspace, and the box in which the next one is typed. */
import * as vscode from "vscode";

const KEY = "contextls.questions";
const MOST_KEPT = 50;

/** Newest first. A question is kept before it is asked, so that none is lost when asking fails. */
export class Questions {
  constructor(private readonly memento: vscode.Memento) {}

  get all(): readonly string[] {
    return this.memento.get<readonly string[]>(KEY, []);
  }

  async keep(question: string): Promise<void> {
    const others = this.all.filter((each) => each !== question);
    await this.memento.update(KEY, [question, ...others].slice(0, MOST_KEPT));
  }

  async remove(question: string): Promise<void> {
    await this.memento.update(
      KEY,
      this.all.filter((each) => each !== question),
    );
  }
}

interface QuestionItem extends vscode.QuickPickItem {
  readonly question: string;
}

/** What was typed, or an earlier question that was chosen; undefined when the box is dismissed. */
export async function ask(questions: Questions, title: string): Promise<string | undefined> {
  const box = vscode.window.createQuickPick<QuestionItem>();
  box.title = title;
  box.placeholder = vscode.l10n.t("What do you want to ask?");
  box.ignoreFocusOut = true;
  const refresh = (): void => {
    const items = itemsFor(box.value, questions.all);
    box.items = items;
    box.activeItems = items.slice(0, 1);
  };
  refresh();
  const listening = [
    box.onDidChangeValue(refresh),
    box.onDidTriggerItemButton(({ item }) => {
      void questions.remove(item.question).then(refresh);
    }),
  ];
  try {
    return await chosen(box);
  } finally {
    vscode.Disposable.from(...listening, box).dispose();
  }
}

function chosen(box: vscode.QuickPick<QuestionItem>): Promise<string | undefined> {
  return new Promise((resolve) => {
    box.onDidAccept(() => {
      const question = (box.selectedItems[0] ?? box.activeItems[0])?.question ?? box.value.trim();
      if (question !== "") {
        resolve(question);
      }
    });
    box.onDidHide(() => {
      resolve(undefined);
    });
    box.show();
  });
}

/** What is typed comes first and is what Enter asks; below it the earlier questions that hold its words. */
function itemsFor(value: string, earlier: readonly string[]): QuestionItem[] {
  const typed = value.trim();
  const words = typed.toLowerCase().split(/\s+/u);
  const matching = earlier.filter((each) => words.every((word) => each.toLowerCase().includes(word)));
  const items = matching.filter((each) => each !== typed).map(earlierItem);
  return typed === "" ? items : [typedItem(typed), ...items];
}

function typedItem(question: string): QuestionItem {
  return {
    label: question,
    iconPath: new vscode.ThemeIcon("search"),
    question,
    alwaysShow: true,
  };
}

function earlierItem(question: string): QuestionItem {
  return {
    label: question.replace(/\s+/gu, " "),
    iconPath: new vscode.ThemeIcon("history"),
    buttons: [{ iconPath: new vscode.ThemeIcon("trash"), tooltip: vscode.l10n.t("Forget This Question") }],
    question,
    alwaysShow: true,
  };
}
