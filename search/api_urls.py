"""Addresses of the public API."""

from django.urls import path

from search import api, rules_api

app_name = "search-api"
urlpatterns = [
    path("games/", api.Games.as_view(), name="games"),
    path("games/<int:pk>/", api.GameDetail.as_view(), name="game"),
    path("passages/", api.Passages.as_view(), name="passages"),
    path("suggestions/", api.Suggestions.as_view(), name="suggestions"),
    path("rules/", rules_api.RulesTexts.as_view(), name="rules-texts"),
    path("rules/<int:pk>/", rules_api.Rules.as_view(), name="rules"),
    path("rules/<int:pk>/passages/", rules_api.TextPassages.as_view(), name="rules-passages"),
    path("rules/<int:pk>/passages/<str:name>/", rules_api.TextPassage.as_view(), name="rules-passage"),
]
