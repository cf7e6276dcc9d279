"""Addresses of the librarians' pages for questions of readers."""

from django.urls import path

from search import answer_views

app_name = "questions"
urlpatterns = [
    path("", answer_views.home, name="home"),
    path("<int:pk>/", answer_views.edit, name="edit"),
    path("<int:pk>/set-aside/", answer_views.set_aside, name="set-aside"),
    path("<int:pk>/reopen/", answer_views.reopen, name="reopen"),
    path("<int:pk>/forget/", answer_views.forget, name="forget"),
]
