"""Addresses of the staff's catalogue pages."""

from django.urls import path

from catalogue.views import copies, documents, games, home, links, rules

app_name = "catalogue"
urlpatterns = [
    path("", home.home, name="home"),
    path("doubts/<int:pk>/settle/", home.settle, name="doubt-settle"),
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
    path("games/<int:pk>/documents/add/", documents.add, name="document-add"),
    path("documents/<int:pk>/rules/", documents.make_rules, name="document-rules"),
]
