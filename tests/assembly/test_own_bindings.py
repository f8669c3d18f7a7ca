"""Files that have a variable or a function of their own under the name of another one are no users of that."""

from __future__ import annotations

from pathlib import Path

from contextls.model import AssembleRequest, Section

from ..memory.workspaces import opened, write

SHOP = {
    "api/setBasket.ts": "const setBasket = async (basket: string) => {\n  return store.put(basket);\n};\n\n"
    "export default setBasket;\n",
    "api/order.ts": 'import setBasket from "./setBasket";\n\nexport async function order(basket: string) {\n'
    "  const stored = await setBasket(basket);\n  return stored.id;\n}\n",
    "web/Badge.tsx": "export function Badge() {\n  const [basket, setBasket] = useState<string>();\n"
    "  return <b onClick={() => setBasket('none')}>{basket}</b>;\n}\n",
    "web/Sheet.tsx": "export function Sheet() {\n  const setBasket = (event: Event) => {\n    hold(event);\n  };\n"
    "  return <i onChange={setBasket} />;\n}\n",
    # A page of Nuxt imports nothing of what it uses.
    "web/page.vue": '<script setup lang="ts">\nasync function leave() {\n  await setBasket("none");\n}\n</script>\n',
}


def code_for(root: Path, question: str) -> list[str]:
    with opened(write(root, SHOP)) as engine:
        pieces = engine.assemble(AssembleRequest(question)).components
    return [piece.path for piece in pieces if piece.path and piece.type is Section.SEMANTIC]


def test_a_variable_of_a_component_is_no_function_of_another_module(tmp_path: Path) -> None:
    assert code_for(tmp_path, "who calls setBasket?") == ["api/setBasket.ts", "api/order.ts", "web/page.vue"]


def test_the_users_of_a_function_lead_where_more_is_asked(tmp_path: Path) -> None:
    shown = code_for(tmp_path, "setBasket should throw instead of returning null. who calls it today?")
    assert shown[:2] == ["api/setBasket.ts", "api/order.ts"]


def test_who_asks_where_a_function_is_defined_gets_none_inside_of_another(tmp_path: Path) -> None:
    assert code_for(tmp_path, "where is setBasket defined?") == ["api/setBasket.ts"]
