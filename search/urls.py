"""Addresses of the public catalogue."""

from django.urls import path

from search import ask_views, views

urlpatterns = [
    path("", views.home, name="home"),
    path("ask/", ask_views.ask, name="ask"),
    path("asked/<str:token>/", ask_views.asked, name="asked"),
    path("games/<int:pk>/", views.game, name="game"),
    path("rules/<int:pk>/", views.rules_text, name="rules-text"),
    path("rules/<int:pk>/revisions/<int:number>/", views.rules_text, name="rules-revision"),
    path("rules/<int:pk>/history/", views.rules_history, name="rules-history"),
    path("rules/<int:pk>/diff/", views.rules_diff, name="rules-diff"),
    path("rules/<int:pk>/sections/<str:anchor>/", views.rules_section, name="rules-section"),
    path("rules/<int:pk>/beside/<int:other>/", views.rules_beside, name="rules-beside"),
    path("documents/<int:pk>/", views.document, name="document"),
]
