"""Components of Vue and Svelte: the code in their scripts is found by its names and calls, as that of any other file."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from contextls.engine import Engine
from contextls.model import AssembleRequest, Section

from ..memory.workspaces import opened, write

FILES = {
    "src/helpers/total.ts": "export function totalOf(items: number[]): number {\n"
    "\treturn items.reduce((sum, item) => sum + item, 0)\n}\n",
    "src/views/Cart.vue": '<template>\n\t<p @click="emptyCart">{{ total }}</p>\n</template>\n\n'
    '<script setup lang="ts">\n'
    "import {computed} from 'vue'\nimport {totalOf} from '@/helpers/total'\n\n"
    "const props = defineProps<{items: number[]}>()\nconst total = computed(() => totalOf(props.items))\n\n"
    "function emptyCart() {\n\tprops.items.splice(0)\n}\n</script>\n\n<style>\np { margin: 0; }\n</style>\n",
    "src/views/Bill.svelte": "<script>\n\timport { totalOf } from '../helpers/total'\n\texport let items = []\n\n"
    "\tfunction payBill() {\n\t\treturn totalOf(items)\n\t}\n</script>\n\n"
    "<button on:click={payBill}>{totalOf(items)}</button>\n",
}


@pytest.fixture(scope="module")
def cart(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Engine]:
    with opened(write(tmp_path_factory.mktemp("components") / "cart", FILES)) as engine:
        yield engine


@pytest.mark.parametrize(
    ("name", "path"), [("emptyCart", "src/views/Cart.vue"), ("payBill", "src/views/Bill.svelte")]
)
def test_where_a_function_of_a_component_is_defined(cart: Engine, name: str, path: str) -> None:
    (shown,) = cart.assemble(AssembleRequest(f"where is {name} defined?")).components
    assert (shown.path, shown.symbol) == (path, name)


def test_components_are_among_those_that_call_a_function(cart: Engine) -> None:
    shown = cart.assemble(AssembleRequest("who calls totalOf?")).components
    assert {one.path for one in shown if one.type is Section.SEMANTIC} == set(FILES)
