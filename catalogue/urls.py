"""Addresses of the staff's catalogue pages."""

from django.urls import path

from catalogue.views import copies, documents, games, home, import_items, imports, labels, links, rules

app_name = "catalogue"
urlpatterns = [
    path("", home.home, name="home"),
    path("doubts/<int:pk>/settle/", home.settle, name="doubt-settle"),
    path("imports/", imports.home, name="imports"),
    path("imports/<int:pk>/", imports.show, name="import"),
    path("imports/<int:pk>/progress/", imports.progress, name="import-progress"),
    path("imports/<int:pk>/do/", imports.act, name="import-do"),
    path("imports/<int:pk>/undo/", imports.undo_preview, name="import-undo"),
    path("imports/<int:pk>/decide/", import_items.decide, name="import-decide"),
    path("imports/<int:pk>/problems.csv", import_items.problems_csv, name="import-problems"),
    path("games/add/", games.add, name="game-add"),
    path("games/<int:pk>/", games.edit, name="game-edit"),
    path("games/<int:pk>/delete/", games.delete, name="game-delete"),
    path("games/<int:pk>/copies/add/", copies.add, name="copy-add"),
    path("copies/<int:pk>/", copies.edit, name="copy-edit"),
    path("copies/<int:pk>/delete/", copies.delete, name="copy-delete"),
    path("games/<int:pk>/rules/add/", rules.add, name="rules-add"),
    path("rules/<int:pk>/", rules.edit, name="rules-edit"),
    path("rules/<int:pk>/delete/", rules.delete, name="rules-delete"),
    path("games/<int:pk>/bases/add/", links.add_base, name="base-add"),
    path("games/<int:pk>/bases/<int:base>/remove/", links.remove_base, name="base-remove"),
    path("labels/", labels.labels, name="labels"),
    path("labels/numbers/", labels.new_numbers, name="label-numbers"),
    path("labels/pattern/", labels.number_pattern, name="number-pattern"),
    path("games/<int:pk>/documents/add/", documents.add, name="document-add"),
    path("documents/<int:pk>/rules/", documents.make_rules, name="document-rules"),
]
