"""Addresses of the catalogue API."""

from django.urls import path

from catalogue import api

app_name = "catalogue-api"
urlpatterns = [
    path("games/", api.Games.as_view(), name="games"),
    path("games/<int:pk>/", api.OneGame.as_view(), name="game"),
    path("games/<int:pk>/copies/", api.Copies.as_view(), name="copies"),
    path("copies/<int:pk>/", api.OneCopy.as_view(), name="copy"),
    path("games/<int:pk>/rules/", api.RulesTexts.as_view(), name="rules-texts"),
    path("rules/<int:pk>/", api.OneRulesText.as_view(), name="rules-text"),
    path("rules/<int:pk>/revisions/", api.Revisions.as_view(), name="revisions"),
]
