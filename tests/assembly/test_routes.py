"""Questions about an HTTP request show its route and its handler."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import pytest

from contextls.model import AssembleRequest, Context

from ..memory.workspaces import opened, write

# Code that says "login" and "user" more often than any route does.
NOISE = {
    f"audit/trail{number}.py": f'def log_login_{number}(user):\n    """Note the login of a user."""\n    return user.login\n'
    for number in range(12)
}
DJANGO = {
    "shop/urls.py": """from django.urls import path, re_path

from shop.views import OrderView, sign_in

urlpatterns = [
    path("user/login/", sign_in),
    re_path(
        r"^orders/bulk/$",
        OrderView.as_view(),
        name="orders",
    ),
]
""",
    "shop/views.py": """class OrderView:
    def get(self, request):
        return self.listed(request)

    def post(self, request):
        return self.placed(request)


def sign_in(request):
    return request.session
""",
}
FLASK = {
    "web/session.py": """@app.post("/user/login")
def start(form):
    return form.token


@app.get("/user/login")
def page():
    return render("form")
""",
}
GO = {
    "route/web.go": """package route

import "shop/admin"

func Run(m *Router) {
	m.Group("/user", func() {
		m.Combo("/login").Get(admin.SignInPage).Post(admin.SignIn)
	})
	m.Group("/parcel", func() {
		m.Post("/login", admin.ParcelSignIn)
	})
}
""",
    "admin/sign.go": """package admin

func SignInPage(c *Context) {
	c.Render("form")
}

func SignIn(c *Context) {
	c.Session.Start()
}

func ParcelSignIn(c *Context) {
	c.Session.Track()
}
""",
    "go.mod": "module shop\n",
}
GO_MUX = {
    "route/web.go": """package route

import "shop/admin"

func Run(mux *http.ServeMux) {
	mux.HandleFunc("GET /user/login", admin.SignInPage)
	mux.HandleFunc("POST /user/login", admin.SignIn)
}
""",
    "client/sign.go": """package client

func (c *Caller) Begin(form Form) error {
	return c.request.Post("/user/login", form)
}
""",
    **{path: text for path, text in GO.items() if path != "route/web.go"},
}
LARAVEL = {
    "routes/api.php": """<?php

use App\\Http\\SessionController;

Route::get('user/login', [SessionController::class, 'page']);
Route::post('user/login', [SessionController::class, 'start']);
""",
    "app/Http/SessionController.php": """<?php

namespace App\\Http;

class SessionController
{
    public function page($request)
    {
        return view('form');
    }

    public function start($request)
    {
        return $request->session();
    }
}
""",
}
RAILS = {
    "config/routes.rb": """Rails.application.routes.draw do
  post "/user/login", to: "sessions#create"
  resources :gift_cards, only: [:index, :create] do
    get "balance"
  end
end
""",
    "app/controllers/gift_cards_controller.rb": """class GiftCardsController < ApplicationController
  def index
    render :all
  end

  def create
    redirect_to issue(params)
  end
end
""",
    "app/controllers/mod/gift_cards_controller.rb": """module Mod
  class GiftCardsController < ApplicationController
    def create
      refuse
    end
  end
end
""",
    "app/controllers/sessions_controller.rb": """class SessionsController < ApplicationController
  def new
    render :form
  end

  def create
    session[:token] = issue
  end
end
""",
}
EXPRESS = {
    "src/routes.ts": 'import { start } from "./session";\n\nrouter.post("/user/login", start);\n',
    "src/session.ts": "export function start(req, res) {\n  res.send(req.token);\n}\n",
    "src/client.ts": 'export function signIn() {\n  return axios.post("/user/login", form());\n}\n',
}
SPRING = {
    "src/SessionApi.java": """@RequestMapping("/user")
class SessionApi {
    @PostMapping("/login")
    Token start(Form form) {
        return issue(form);
    }
}
""",
}
ASP_NET = {
    "Api/SessionController.cs": """[Route("Users")]
public class SessionController : ControllerBase
{
    [HttpPost("StartByName")]
    public ActionResult<Token> Start([FromBody] Form form)
    {
        return Issue(form);
    }
}
""",
    "Api/ListController.cs": """[Route("Lists")]
public class ListController : ControllerBase
{
    [HttpPost("{listId}/Users/{userId}")]
    public ActionResult Share([FromRoute] Guid listId, [FromRoute] Guid userId)
    {
        return Allow(listId, userId);
    }
}
""",
}


def ask(folder: Path, files: Mapping[str, str], question: str) -> Context:
    with opened(write(folder, {**NOISE, **files})) as engine:
        return engine.assemble(AssembleRequest(question))


def told(context: Context, what: str) -> dict[str, str]:
    """The pieces that are there because they do ``what``, by their paths."""
    return {one.path or "": one.content for one in context.components if what in one.why}


@pytest.mark.parametrize(
    ("files", "route", "handler", "lines"),
    [
        (DJANGO, "shop/urls.py", "shop/views.py", ["def sign_in(request):"]),
        (FLASK, "web/session.py", "", ["def start(form):"]),
        (GO, "route/web.go", "admin/sign.go", ["func SignIn(c *Context)"]),
        (GO_MUX, "route/web.go", "admin/sign.go", ["func SignIn(c *Context)"]),
        (LARAVEL, "routes/api.php", "app/Http/SessionController.php", ["public function start($request)"]),
        (RAILS, "config/routes.rb", "app/controllers/sessions_controller.rb", ["def create"]),
        (EXPRESS, "src/routes.ts", "src/session.ts", ["export function start(req, res)"]),
        (SPRING, "src/SessionApi.java", "", ["Token start(Form form)"]),
    ],
    ids=["django", "flask", "go", "go mux", "laravel", "rails", "express", "spring"],
)
def test_a_request_leads_to_its_route_and_its_handler(
    tmp_path: Path, files: Mapping[str, str], route: str, handler: str, lines: list[str]
) -> None:
    context = ask(tmp_path, files, "what handles POST /user/login?")
    registered, handled = (
        told(context, "registers POST /user/login"),
        told(context, "handles POST /user/login"),
    )
    assert list(registered) == [route]
    assert list(handled) == ([handler] if handler else [])
    assert all(line in "".join([*registered.values(), *handled.values()]) for line in lines)


def test_of_a_path_alone_the_handlers_of_all_methods_are_meant(tmp_path: Path) -> None:
    handled = told(ask(tmp_path, GO_MUX, "add a captcha to the /user/login endpoint"), "handles /user/login")
    assert "func SignInPage" in handled["admin/sign.go"]
    assert "func SignIn(" in handled["admin/sign.go"]


def test_of_a_class_the_method_for_the_request_is_shown(tmp_path: Path) -> None:
    context = ask(tmp_path, DJANGO, "POST /api/orders/bulk/ answers 400")
    assert "def post" in told(context, "handles POST /api/orders/bulk")["shop/views.py"]
    assert "re_path" in told(context, "registers POST /api/orders/bulk")["shop/urls.py"]


def test_the_head_of_a_class_that_handles_a_request_is_shown(tmp_path: Path) -> None:
    lines = "".join(f"        self.note(request, {number!r} * {number})\n" for number in range(70))
    files = {
        "shop/urls.py": DJANGO["shop/urls.py"],
        "shop/views.py": "class OrderView(View):\n    throttle_classes = [BulkThrottle]\n\n"
        f"    def get(self, request):\n{lines}\n    def post(self, request):\n{lines}        return self.placed(request)\n"
        "\n\ndef sign_in(request):\n    return request.session\n",
    }
    with opened(write(tmp_path, files | NOISE)) as engine:
        content = engine.assemble(
            AssembleRequest("POST /orders/bulk answers 429, why?", max_tokens=2_000)
        ).content
    assert "throttle_classes = [BulkThrottle]" in content


def test_of_routes_that_end_alike_the_one_below_the_rest_of_the_path_is_meant(tmp_path: Path) -> None:
    handled = told(ask(tmp_path, GO, "what handles POST /parcel/login?"), "handles POST /parcel/login")
    assert "func ParcelSignIn" in handled["admin/sign.go"]


def test_resources_are_handled_by_the_controller_that_is_called_so(tmp_path: Path) -> None:
    context = ask(tmp_path, RAILS, "what handles POST /gift_cards?")
    assert list(told(context, "registers POST /gift_cards")) == ["config/routes.rb"]
    assert (
        "def create" in told(context, "handles POST /gift_cards")["app/controllers/gift_cards_controller.rb"]
    )


def test_a_line_of_a_log_leads_there_too(tmp_path: Path) -> None:
    log = 'it has failed since yesterday:\n10.0.0.1 - - [12/Mar/2026] "POST /user/login HTTP/1.1" 500 1204\n'
    assert "src/session.ts" in told(ask(tmp_path, EXPRESS, log), "handles POST /user/login")


@pytest.mark.parametrize(
    "question",
    ["what handles PATCH /user/login?", "what handles POST /user/logout?", "what handles POST /garden/gate?"],
)
def test_what_no_route_is_registered_for_leads_to_none(tmp_path: Path, question: str) -> None:
    context = ask(tmp_path, EXPRESS, question)
    assert not told(context, "registers")
    assert not told(context, "handles P")


def test_the_words_of_a_segment_in_capitals_need_not_be_told_apart(tmp_path: Path) -> None:
    context = ask(tmp_path, ASP_NET, "[ERR] Error processing request. URL POST /Users/StartByName.")
    (route,) = told(context, "registers POST /users/startbyname").items()
    assert route[0] == "Api/SessionController.cs"
    assert "ActionResult<Token> Start(" in route[1]
